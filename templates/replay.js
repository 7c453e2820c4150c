"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const board = document.querySelector("#board svg");
  const find = (id) => document.getElementById(id);
  const make = (tag, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    parent.append(element);
    return element;
  };
  const link = (name) => "#" + data.prefix + name;

  // Positions: frames say what changed; each keeps the whole position so that one can jump.
  let now = { units: data.units.map(() => [-1, 0]), loose: {}, held: {}, medals: [0, 0] };
  const moments = data.frames.map((frame) => {
    now = { units: now.units.slice(), loose: { ...now.loose }, held: { ...now.held }, medals: frame.m || now.medals };
    for (const [unit, hex, figures] of frame.u || []) now.units[unit] = [hex, figures];
    for (const [hex, bits] of frame.l || []) now.loose[hex] = bits;
    for (const [goal, side] of frame.o || []) now.held[goal] = side;
    return now;
  });
  const turnStarts = data.frames.map((frame, i) => (i && data.frames[i - 1].t !== frame.t ? i : -1)).filter((i) => i > 0);
  const medalFrames = data.frames.map((frame, i) => (frame.j ? i : -1)).filter((i) => i >= 0);

  // Layers: loose features under the units, arrows over them.
  const firstUnit = board.querySelector(".unit");
  for (const [, key] of data.loose) board.querySelectorAll(`[data-feature="${key}"]`).forEach((e) => e.remove());
  board.querySelectorAll(".moves,.attacks,.retreats,.ml-glow").forEach((e) => e.remove());
  const features = make("g", {}, board);
  const glow = make("g", { class: "ml-glow", "stroke-width": 4, "stroke-linejoin": "round" }, board);
  const troops = make("g", {}, board);
  const arrows = make("g", {}, board);
  board.insertBefore(features, firstUnit);
  board.insertBefore(glow, firstUnit);
  board.insertBefore(troops, firstUnit);
  board.insertBefore(arrows, board.querySelector(".goal") || board.querySelector(".m-nm") || null);
  const pieces = data.units.map(([side, token, name], number) => {
    let piece = find(data.prefix + "u" + number);
    if (!piece) {
      piece = make("g", { id: data.prefix + "u" + number, class: "unit m-ink" + side }, troops);
      make("title", {}, piece);
      make("use", { href: link(token) }, piece);
      make("use", { class: "figures", href: link("n1") }, piece);
    }
    troops.append(piece);
    return { piece, name, title: piece.querySelector("title"), figures: piece.querySelector(".figures") };
  });

  const drawUnits = (moment) => {
    pieces.forEach(({ piece, name, title, figures }, number) => {
      const [hex, count] = moment.units[number];
      piece.style.display = hex < 0 ? "none" : "";
      if (hex < 0) return;
      const [label, x, y] = data.hexes[hex];
      piece.setAttribute("transform", `translate(${x},${y})`);
      piece.setAttribute("data-hex", label);
      figures.setAttribute("href", link("n" + count));
      title.textContent = `${name}, ${count} ${count === 1 ? "figure" : "figures"}, at ${label}`;
    });
  };
  const drawFeatures = (moment) => {
    features.replaceChildren();
    for (const [hex, bits] of Object.entries(moment.loose)) {
      const [label, x, y] = data.hexes[hex];
      for (const [bit, key] of data.loose) {
        if (bits & bit) make("use", { href: link("x-" + key), x, y, "data-hex": label, "data-feature": key }, features);
      }
    }
  };
  const along = ([x, y], [u, v], way) => {
    const part = Math.min(way / (Math.hypot(u - x, v - y) || 1), 0.4);
    return [Math.round(x + (u - x) * part), Math.round(y + (v - y) * part)];
  };
  const drawArrows = (frame) => {
    arrows.replaceChildren();
    glow.replaceChildren();
    for (const hex of frame.s || []) make("use", { href: link("hex"), x: data.hexes[hex][1], y: data.hexes[hex][2] }, glow);
    const kinds = [["move", frame.v, 3, ""], ["attack", frame.a, 3.5, "9 4"], ["retreat", frame.x, 3, "1 5"]];
    for (const [kind, paths, width, dashes] of kinds) {
      for (const path of paths || []) {
        if (path.length < 2) continue;
        const points = path.map((hex) => data.hexes[hex].slice(1));
        const ends = [along(points[0], points[1], 11), along(points[points.length - 1], points[points.length - 2], 18)];
        const d = "M" + [ends[0], ...points.slice(1, -1), ends[1]].map((p) => p.join(" ")).join(" ");
        const common = { d, "stroke-linecap": "round", "stroke-linejoin": "round" };
        make("path", { ...common, class: "ml-paper", "stroke-width": 6, opacity: 0.7 }, arrows);
        const look = { class: "ml-" + kind, "stroke-width": width, "marker-end": `url(${link(kind)})` };
        make("path", { ...common, ...look, ...(dashes ? { "stroke-dasharray": dashes } : {}) }, arrows);
      }
    }
  };
  const drawMedals = (moment) => {
    board.querySelectorAll(".goal").forEach((goal) => {
      const holder = moment.held[goal.dataset.goal];
      const title = goal.querySelector("title");
      goal.innerHTML = data.goals[goal.dataset.goal][holder === 0 ? 1 : holder === 1 ? 2 : 0];
      if (title) goal.prepend(title);
    });
    [0, 1].forEach((side) => {
      const medals = moment.medals[side];
      board.querySelector(`.track[data-side="${side}"]`).innerHTML = data.tracks[side][medals];
      find("stars" + side).textContent = "★".repeat(medals) + "☆".repeat(data.targets[side] - medals);
      find("medals" + side).textContent = `${medals} of ${data.targets[side]} medals`;
    });
  };

  // The story: lines of the present turn, up to now.
  const sections = [...document.querySelectorAll(".turn")];
  const lines = [...document.querySelectorAll(".turn li")];
  const whole = find("whole");
  whole.addEventListener("change", () => find("story").classList.toggle("whole", whole.checked));
  const tell = (number) => {
    const said = [];
    for (const line of lines) {
      const frame = Number(line.dataset.frame);
      line.classList.toggle("present", frame === number);
      line.classList.toggle("later", frame > number);
      if (frame === number) said.push(line.querySelector(".words").textContent);
    }
    const here = lines.filter((line) => Number(line.dataset.frame) <= number).pop();
    for (const section of sections) section.classList.toggle("here", here !== undefined && section.contains(here));
    if (here && whole.checked) here.scrollIntoView({ block: "nearest" });
    find("said").textContent = said.join(" ");
  };
  const showHand = (file) => {
    const box = find("hand");
    if (!box) return;
    const known = Object.keys(data.hands).map(Number).filter((n) => n <= file);
    const cards = known.length ? data.hands[Math.max(...known)] : [];
    box.textContent = cards.join(", ") || "no cards";
  };

  const slider = find("slider");
  let present = -1;
  const go = (number) => {
    number = Math.max(0, Math.min(data.frames.length - 1, number));
    if (number === present) return;
    present = number;
    const frame = data.frames[number];
    slider.value = number;
    slider.setAttribute("aria-valuetext", `step ${number + 1} of ${data.frames.length}, turn ${frame.t}`);
    const turn = frame.t ? `Turn ${frame.t}` : "Before the first turn";
    find("where").textContent = `${turn} · step ${number + 1} of ${data.frames.length}`;
    drawUnits(moments[number]);
    drawFeatures(moments[number]);
    drawArrows(frame);
    drawMedals(moments[number]);
    tell(number);
    showHand(frame.f);
    history.replaceState(null, "", "#" + number);
  };
  const after = (list) => list.find((i) => i > present) ?? data.frames.length - 1;
  const before = (list) => [...list].reverse().find((i) => i < present) ?? 0;

  let timer = 0;
  const play = (on) => {
    clearInterval(timer);
    timer = on ? setInterval(() => (present < data.frames.length - 1 ? go(present + 1) : play(false)), Number(find("pace").value)) : 0;
    find("play").textContent = timer ? "Pause" : "Play";
    find("play").setAttribute("aria-pressed", String(Boolean(timer)));
  };
  const deeds = {
    first: () => go(0),
    "turn-back": () => go(before(turnStarts)),
    back: () => go(present - 1),
    play: () => play(!timer),
    forth: () => go(present + 1),
    "turn-forth": () => go(after(turnStarts)),
    end: () => go(data.frames.length - 1),
    "medal-back": () => go(before(medalFrames)),
    "medal-forth": () => go(after(medalFrames)),
  };
  const act = (name) => {
    if (name !== "play") play(false);
    deeds[name]();
  };
  for (const name of Object.keys(deeds)) find(name).addEventListener("click", () => act(name));
  const keys = {
    ArrowLeft: "back", ArrowRight: "forth", PageUp: "turn-back", PageDown: "turn-forth",
    Home: "first", End: "end", m: "medal-forth", M: "medal-back", " ": "play",
  };
  document.addEventListener("keydown", (event) => {
    const busy = event.target.matches("button,summary,select,input[type=checkbox]") && event.key === " ";
    if (event.ctrlKey || event.altKey || event.metaKey || busy || !(event.key in keys)) return;
    if (event.target.matches("select")) return;
    event.preventDefault();
    act(keys[event.key]);
  });
  slider.max = data.frames.length - 1;
  slider.addEventListener("input", () => { play(false); go(Number(slider.value)); });
  find("pace").addEventListener("change", () => { if (timer) play(true); });
  document.querySelectorAll("[data-go]").forEach((button) => {
    button.addEventListener("click", () => { play(false); go(Number(button.dataset.go)); });
  });
  lines.forEach((line) => line.addEventListener("click", () => { play(false); go(Number(line.dataset.frame)); }));
  document.documentElement.classList.add("scripted");
  const wanted = Number(location.hash.slice(1));
  go(Number.isInteger(wanted) && wanted > 0 ? wanted : 0);
})();
