// The page: mouse, touch and keys move a camera over the tree, fold its branches, and ask for a tip.

function start(data) {
  const canvas = document.getElementById("tree"), tip = document.getElementById("tip"), ctx = canvas.getContext("2d");
  const tree = makeTree(data), pointers = new Map(), levels = document.getElementById("levels");
  let places = layout(tree), camera = null, isFitted = true, frame = null, asked = false, theme = data.theme;
  const marks = { hovered: -1, selected: 0, focused: false };
  let moved = false, pinch = 0, size = [1, 1];
  leaveEdges(data, tree);
  compareLetters(ctx, data.sample);

  function redraw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(function () {
      asked = false;
      const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      size = [width, height];
      if (isFitted || !camera) camera = fitted(tree, places, width, height);
      frame = makeFrame(tree, places, camera);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const look = Object.assign({ name: theme }, data.looks[theme]);
      new Painter(ctx, frame, look, marks).paint(width, height);
    });
  }

  function take(next) {
    camera = next;
    isFitted = false;
    hideTip();
    redraw();
  }

  function zoom(factor, x, y) {
    if (camera) take(zoomed(camera, factor, x, y));
  }

  // Folding keeps the node where it is on the screen.
  function relayout(i) {
    const before = frame ? boxOf(frame, i) : null;
    places = layout(tree);
    while (marks.selected > 0 && places.shown.indexOf(marks.selected) < 0) marks.selected = tree.parent[marks.selected];
    marks.hovered = -1;
    if (!isFitted && before) {
      const after = boxOf(makeFrame(tree, places, camera), i);
      camera = Object.assign({}, camera, { x: camera.x + before.middle - after.middle, y: camera.y + before.y - after.y });
    }
    hideTip();
    redraw();
  }

  function fold(i) {
    if (i < 0 || !tree.inner[i]) return;
    tree.folded[i] = tree.folded[i] ? 0 : 1;
    levels.value = "";
    relayout(i);
  }

  function reveal(i) {
    if (isFitted || !camera) return;
    const box = boxOf(makeFrame(tree, places, camera), i);
    const dx = Math.max(0, 20 - box.x) - Math.max(0, box.x + box.w + 20 - size[0]);
    const dy = Math.max(0, 30 - box.y) - Math.max(0, box.y + box.h + 20 - size[1]);
    camera = Object.assign({}, camera, { x: camera.x + dx, y: camera.y + dy });
  }

  // -- the tip

  // Right of `x`, or left of `other` where there is no room, or else below `foot`.
  function showTip(i, x, y, other, foot) {
    const said = tipOf(tree, i);
    tip.textContent = "";
    const heading = document.createElement("b");
    heading.textContent = said.heading.join(" and ");
    tip.appendChild(heading);
    said.lines.forEach(function (line) {
      const row = document.createElement("div");
      row.textContent = line;
      tip.appendChild(row);
    });
    const table = document.createElement("table");
    said.table.forEach(function (cells, k) {
      const row = table.insertRow();
      cells.forEach(function (cell) {
        const made = document.createElement(k === 0 && data.task === "classes" ? "th" : "td");
        made.textContent = cell;
        row.appendChild(made);
      });
    });
    tip.appendChild(table);
    tip.style.display = "block";
    const left = x + 16 + tip.offsetWidth > size[0] ? other - 16 - tip.offsetWidth : x + 16;
    if (left < 0) y = foot;
    tip.style.left = Math.max(4, left) + "px";
    tip.style.top = between(y + 12, 4, Math.max(4, size[1] - tip.offsetHeight - 4)) + "px";
  }

  function hideTip() {
    tip.style.display = "none";
  }

  function hover(event) {
    const at = placeOf(event), i = frame ? nodeAt(frame, at[0], at[1]) : -1;
    canvas.style.cursor = i >= 0 ? "pointer" : "default";
    if (i >= 0) showTip(i, at[0], at[1], at[0], at[1]); else hideTip();
    if (i !== marks.hovered) {
      marks.hovered = i;
      redraw();
    }
  }

  // -- mouse and touch

  function placeOf(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  canvas.addEventListener("pointerdown", function (event) {
    pointers.set(event.pointerId, placeOf(event));
    canvas.setPointerCapture(event.pointerId);
    moved = false;
    pinch = 0;
  });

  canvas.addEventListener("pointermove", function (event) {
    const before = pointers.get(event.pointerId), at = placeOf(event);
    if (!before) {
      hover(event);
      return;
    }
    pointers.set(event.pointerId, at);
    if (pointers.size === 2) {
      const ends = Array.from(pointers.values());
      const apart = Math.hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]);
      if (pinch) zoom(apart / pinch, (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2);
      pinch = apart;
      moved = true;
    } else if (moved || Math.hypot(at[0] - before[0], at[1] - before[1]) > 2) {
      moved = true;
      take(Object.assign({}, camera, { x: camera.x + at[0] - before[0], y: camera.y + at[1] - before[1] }));
    }
  });

  function release(event) {
    pointers.delete(event.pointerId);
    pinch = 0;
    if (moved || !frame || event.type !== "pointerup") return;
    const at = placeOf(event), i = nodeAt(frame, at[0], at[1]);
    if (i < 0) return;
    marks.selected = i;
    const box = boxOf(frame, i);
    if (tree.folded[i] && at[1] > box.y + box.h) fold(i); else redraw();
  }
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);

  canvas.addEventListener("pointerleave", function () {
    marks.hovered = -1;
    hideTip();
    redraw();
  });

  canvas.addEventListener("dblclick", function (event) {
    const at = placeOf(event);
    fold(frame ? nodeAt(frame, at[0], at[1]) : -1);
  });

  canvas.addEventListener("wheel", function (event) {
    event.preventDefault();
    if (!camera) return;
    const at = placeOf(event), unit = event.deltaMode === 1 ? 30 : 1;
    if (event.ctrlKey || event.metaKey) zoom(Math.pow(2, -event.deltaY * unit / 300), at[0], at[1]);
    else {
      const dx = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX, dy = event.shiftKey ? 0 : event.deltaY;
      take(Object.assign({}, camera, { x: camera.x - dx * unit, y: camera.y - dy * unit }));
    }
  }, { passive: false });

  // -- keys and buttons

  function walk(key) {
    marks.selected = stepFrom(tree, places, marks.selected, key);
    reveal(marks.selected);
    redraw();
    requestAnimationFrame(function () {
      const box = boxOf(frame, marks.selected);
      showTip(marks.selected, box.x + box.w, box.y, box.x, box.y + box.h);
    });
  }

  function fit() {
    isFitted = true;
    hideTip();
    redraw();
  }

  function middle(factor) {
    const box = frame ? boxOf(frame, marks.selected) : null;
    const inView = box && box.middle > 0 && box.middle < size[0] && box.y > 0 && box.y < size[1];
    zoom(factor, inView ? box.middle : size[0] / 2, inView ? box.y : size[1] / 2);
  }

  function full() {
    if (camera) middle(1 / camera.zoom);
  }

  function wear(name) {
    theme = name;
    document.documentElement.dataset.theme = name;
    for (const part of ["canvas", "card", "border", "text", "secondary", "accent"]) {
      document.documentElement.style.setProperty("--" + part, data.looks[name][part]);
    }
    document.getElementById("look").textContent = name === "dark" ? "Light" : "Dark";
    showLegend(data.looks[name].legend);
    redraw();
  }

  function swap() {
    wear(theme === "dark" ? "light" : "dark");
  }

  const keys = {
    "+": function () { middle(1.25); }, "=": function () { middle(1.25); }, "-": function () { middle(0.8); },
    "0": fit, "1": full, "t": swap, "T": swap, "Escape": hideTip,
    "Enter": function () { fold(marks.selected); }, " ": function () { fold(marks.selected); }
  };
  canvas.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isStep = /^(Arrow(Up|Down|Left|Right)|Home)$/.test(event.key);
    if (!isStep && !keys[event.key]) return;
    event.preventDefault();
    if (isStep) walk(event.key); else keys[event.key]();
  });
  canvas.addEventListener("focus", function () { marks.focused = true; redraw(); });
  canvas.addEventListener("blur", function () { marks.focused = false; redraw(); });

  levels.add(new Option("all", "all"));
  for (let k = 1; k < tree.depth; k++) levels.add(new Option(String(k), String(k)));
  levels.add(new Option("own", ""));
  levels.options[levels.length - 1].hidden = true; // what folding by hand makes of it
  levels.value = data.folded && data.folded.length ? "" : "all";
  levels.addEventListener("change", function () {
    foldAt(tree, levels.value === "all" ? tree.depth + 1 : Number(levels.value));
    relayout(0);
    fit();
  });
  document.getElementById("in").addEventListener("click", function () { middle(1.25); });
  document.getElementById("out").addEventListener("click", function () { middle(0.8); });
  document.getElementById("fit").addEventListener("click", fit);
  document.getElementById("full").addEventListener("click", full);
  document.getElementById("look").addEventListener("click", swap);
  document.getElementById("title").textContent = data.title;
  document.getElementById("figures").textContent = data.figures;
  window.addEventListener("resize", redraw);
  wear(theme);
  canvas.focus({ preventScroll: true });
}

// Edges leave a card side by side: how wide each is, and where on its parent's lower side it begins.
function leaveEdges(data, tree) {
  data.ribbon = data.flow.map(function (rows) {
    return Math.max(1.5, data.sizes.edge * rows / Math.max(data.flowOfAll, 1));
  });
  data.leavesAt = new Float64Array(tree.n);
  for (let i = 0; i < tree.n; i++) {
    if (!tree.inner[i]) continue;
    const below = childrenOf(tree, i);
    let at = below.reduce(function (sum, k) { return sum - data.ribbon[k] / 2; }, 0);
    for (const k of below) {
      data.leavesAt[k] = at + data.ribbon[k] / 2;
      at += data.ribbon[k];
    }
  }
}

function showLegend(items) {
  const place = document.getElementById("legend");
  place.textContent = "";
  items.forEach(function (item) {
    const made = document.createElement("span");
    if (item.text) made.textContent = item.text;
    else if (item.colours.length === 1) {
      made.className = item.round ? "patch round" : "patch";
      made.style.background = item.colours[0];
      if (item.letter) made.textContent = item.letter;
    } else {
      made.className = "strip";
      item.colours.forEach(function (colour) {
        const patch = document.createElement("i");
        patch.style.background = colour;
        made.appendChild(patch);
      });
    }
    if (item.apart) made.classList.add("apart");
    place.appendChild(made);
  });
}

if (typeof document !== "undefined") start(JSON.parse(document.getElementById("data").textContent));
