"""`python -m pbem` is the program itself."""

from pbem.cli import main

if __name__ == "__main__":
    main()
