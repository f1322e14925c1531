// Draws one frame: ribbons below, the words on them above, cards and tiles on top; small ones as boxes of one colour.

const FAMILY = '"Liberation Sans", Arial, Helvetica, sans-serif';
const NAME = 12, PLAIN = 11, SMALL = 10, LEAST = 9, WITH_BAR = 21, REACH = 3000, STEEP = 5;
const widths = new Map();
let narrower = 1; // what letters are made smaller by where the browser has only wider ones: cards have room for ours

// Compares the browser's letters with ours, by a text and its width at the size of names.
function compareLetters(ctx, sample) {
  narrower = Math.min(1, sample[1] / widthOf(ctx, sample[0], NAME, true));
  widths.clear();
}

// How wide a text is at scale 1; every text is measured once.
function widthOf(ctx, text, size, bold) {
  const key = (bold ? "b" : "p") + size + text;
  if (!widths.has(key)) {
    ctx.font = (bold ? "bold " : "") + size * 10 + "px " + FAMILY;
    widths.set(key, ctx.measureText(text).width / 10 * narrower);
  }
  return widths.get(key);
}

// The text, shortened in the middle until it fits into so many pixels at scale 1; empty where nothing is left.
function elided(ctx, text, room, size, bold) {
  if (widthOf(ctx, text, size, bold) <= room) return text;
  const letters = Array.from(text);
  let low = 0, high = letters.length - 1;
  const short = function (kept) {
    const head = Math.ceil(kept / 2);
    return letters.slice(0, head).join("") + "…" + letters.slice(letters.length - (kept - head)).join("");
  };
  while (low < high) {
    const kept = (low + high + 1) >> 1;
    if (widthOf(ctx, short(kept), size, bold) <= room) low = kept; else high = kept - 1;
  }
  return low ? short(low) : "";
}

function Painter(ctx, frame, look, marks) {
  this.ctx = ctx;
  this.frame = frame;
  this.tree = frame.tree;
  this.data = frame.tree.data;
  this.look = look;
  this.marks = marks;
  this.path = new Set();
  for (let i = marks.hovered; i >= 0; i = this.tree.parent[i]) this.path.add(i);
}

Painter.prototype.text = function (list, i) {
  return list ? this.data.texts[list[i]] : "";
};

Painter.prototype.use = function (i) {
  this.zoom = scaleOf(this.frame, i);
  this.full = this.zoom >= FULL;
  this.letters = Math.max(this.zoom, LEAST / NAME);
};

Painter.prototype.paint = function (width, height) {
  const shown = seen(this.frame, width, height), painter = this;
  this.size = [width, height];
  this.ctx.fillStyle = this.look.canvas;
  this.ctx.fillRect(0, 0, width, height);
  this.lines(shown.boxed.concat(shown.blocks));
  this.blocks(shown.blocks);
  this.boxes(shown.boxed);
  shown.named.forEach(function (i) { if (i) painter.ribbon(i); });
  shown.named.forEach(function (i) { if (i) painter.edgeWords(i); });
  shown.named.forEach(function (i) { painter.node(i); });
  this.ring();
};

// Where the edge into a node begins and ends.
Painter.prototype.edge = function (i) {
  const above = this.tree.parent[i], box = boxOf(this.frame, above), down = topOf(this.frame, i);
  const x0 = box.middle + this.data.leavesAt[i] * scaleOf(this.frame, above);
  const x1 = this.frame.camera.x + this.frame.places.x[i] * this.frame.sx, right = this.size[0] + REACH;
  return [between(x0, -REACH, right), Math.max(-REACH, box.y + box.h), between(x1, -REACH, right),
    Math.min(down, this.size[1] + REACH)];
};

Painter.prototype.ribbon = function (i) {
  const ctx = this.ctx, at = this.edge(i), middle = (at[1] + at[3]) / 2;
  const above = Math.max(1.5, this.data.ribbon[i] * scaleOf(this.frame, this.tree.parent[i])) / 2;
  const below = Math.max(1.5, this.data.ribbon[i] * scaleOf(this.frame, i)) / 2;
  const colour = this.look.ribbons[this.data.shade[i]];
  ctx.beginPath();
  if (above <= 1 || Math.abs(at[2] - at[0]) > STEEP * Math.abs(at[3] - at[1])) {
    ctx.moveTo(at[0], at[1]);
    ctx.bezierCurveTo(at[0], middle, at[2], middle, at[2], at[3]);
    ctx.strokeStyle = colour;
    ctx.lineWidth = Math.max(1.5, (above + below) * (above <= 1 ? 1 : 0.4));
    ctx.stroke();
  } else {
    ctx.moveTo(at[0] - above, at[1]);
    ctx.bezierCurveTo(at[0] - above, middle, at[2] - below, middle, at[2] - below, at[3]);
    ctx.lineTo(at[2] + below, at[3]);
    ctx.bezierCurveTo(at[2] + below, middle, at[0] + above, middle, at[0] + above, at[1]);
    ctx.fillStyle = colour;
    ctx.fill();
  }
  if (this.path.has(i)) {
    ctx.beginPath();
    ctx.moveTo(at[0], at[1]);
    ctx.bezierCurveTo(at[0], middle, at[2], middle, at[2], at[3]);
    ctx.strokeStyle = this.look.text;
    ctx.lineWidth = 1.5;
    ctx.stroke();
  }
};

Painter.prototype.edgeWords = function (i) {
  this.use(i);
  const text = this.text(this.data.edge, i), scale = this.letters, at = this.edge(i);
  const width = (widthOf(this.ctx, text, PLAIN, false) + 10) * scale;
  if (!text || width > slotOf(this.frame, i) + 8 || at[3] - at[1] < 26 * scale) return;
  this.plate({ x: at[2] - width / 2, y: at[3] - 22 * scale, w: width, h: 16 * scale }, 8 * scale, this.look.canvas);
  this.words(text, PLAIN, false, at[2], at[3] - 14 * scale, this.look.text);
};

// Text in the middle of a point.
Painter.prototype.words = function (text, size, bold, x, y, colour) {
  if (!text) return;
  this.ctx.font = (bold ? "bold " : "") + size * this.letters * narrower + "px " + FAMILY;
  this.ctx.fillStyle = colour;
  this.ctx.textAlign = "center";
  this.ctx.textBaseline = "alphabetic";
  this.ctx.fillText(text, x, y + 0.36 * size * this.letters);
};

Painter.prototype.plate = function (box, radius, fill, border, thick) {
  const ctx = this.ctx, r = Math.min(radius, box.w / 2, box.h / 2);
  ctx.beginPath();
  ctx.moveTo(box.x + r, box.y);
  ctx.arcTo(box.x + box.w, box.y, box.x + box.w, box.y + box.h, r);
  ctx.arcTo(box.x + box.w, box.y + box.h, box.x, box.y + box.h, r);
  ctx.arcTo(box.x, box.y + box.h, box.x, box.y, r);
  ctx.arcTo(box.x, box.y, box.x + box.w, box.y, r);
  ctx.closePath();
  if (fill) {
    ctx.fillStyle = fill;
    ctx.fill();
  }
  if (border) {
    ctx.strokeStyle = border;
    ctx.lineWidth = thick;
    ctx.stroke();
  }
};

// A line of a card: names are shortened, figures are whole or not there.
Painter.prototype.line = function (text, size, bold, box, y, colour, whole) {
  const room = (box.w - (whole ? 2 : 6)) / this.letters;
  const fits = whole ? (widthOf(this.ctx, text, size, bold) <= room ? text : "") : elided(this.ctx, text, room, size, bold);
  this.words(fits, size, bold, box.middle, y, colour);
};

Painter.prototype.node = function (i) {
  this.use(i);
  const box = boxOf(this.frame, i), edge = this.path.has(i);
  const rim = { x: box.x + 0.5, y: box.y + 0.5, w: box.w - 1, h: box.h - 1 };
  const plain = this.tree.inner[i] && box.h >= WITH_BAR, k = this.data.shade[i];
  const tiles = !this.tree.inner[i] && this.full;
  const fill = plain ? this.look.card : tiles ? this.look.tiles[k] : this.look.ribbons[k];
  const ink = tiles ? this.look.tileInks[k] : this.look.ribbonInks[k];
  this.plate(rim, 6 * this.zoom, fill, edge ? this.look.text : this.look.border, edge ? 1.5 : 1);
  if (this.tree.inner[i]) this.card(i, box, plain, ink); else this.tile(i, box, ink);
  this.badges(i, box);
  if (this.tree.inner[i] && this.tree.folded[i]) this.foldedWords(i, box);
};

Painter.prototype.card = function (i, box, plain, ink) {
  const zoom = this.zoom, name = this.text(this.data.name, i);
  if (!plain) {
    this.line(name, NAME, true, box, box.y + box.h / 2, ink, false);
    return;
  }
  const bar = { x: box.x + 10 * zoom, y: box.y + box.h - 14 * zoom, w: box.w - 20 * zoom, h: 6 * zoom };
  if (this.full) {
    this.line(name, NAME, true, box, box.y + 15 * zoom, this.look.text, false);
    this.line(this.text(this.data.detail, i), PLAIN, false, box, box.y + 31.5 * zoom, this.look.secondary, true);
    this.line(this.text(this.data.held, i), SMALL, false, box, box.y + 46 * zoom, this.look.secondary, true);
  } else {
    this.line(name, NAME, true, box, (box.y + bar.y) / 2 + 1, this.look.text, false);
  }
  if (this.data.task === "number") this.meanBar(i, bar); else this.classBar(i, bar);
  if (this.data.tick !== null) {
    this.ctx.fillStyle = this.look.text;
    this.ctx.fillRect(bar.x + bar.w * this.data.tick - 0.5, bar.y - 2 * zoom, Math.max(1, zoom), bar.h + 4 * zoom);
  }
};

Painter.prototype.tile = function (i, box, ink) {
  const zoom = this.zoom, below = this.data.paired ? 13 * zoom : 0, name = this.text(this.data.name, i);
  if (!this.full) {
    const brief = this.text(this.data.brief, i);
    if (box.h >= 10 && widthOf(this.ctx, brief, NAME, true) * this.letters <= box.w - 6) {
      this.words(brief, NAME, true, box.middle, box.y + box.h / 2, ink);
    }
    return;
  }
  this.line(name, NAME, true, box, box.y + 13 * zoom, ink, !this.data.stacked);
  this.line(this.text(this.data.says, i), SMALL, false, box, box.y + 27 * zoom, ink, true);
  this.line(this.text(this.data.detail, i), SMALL, false, box, box.y + 28 * zoom + below, ink, true);
  this.line(this.text(this.data.held, i), SMALL, false, box, box.y + 41 * zoom + below, ink, true);
  if (this.data.stacked) {
    const strip = { x: box.x + 6 * zoom, y: box.y + box.h - 10 * zoom, w: box.w - 12 * zoom, h: 5 * zoom };
    const trough = { x: strip.x - 2, y: strip.y - 2, w: strip.w + 4, h: strip.h + 4 };
    this.plate(trough, trough.h / 2, this.look.card, this.look.border, 1);
    this.classBar(i, strip);
  }
};

Painter.prototype.classBar = function (i, bar) {
  const cuts = this.data.classes.length - 1, ends = this.data.bar.slice(i * cuts, (i + 1) * cuts).concat([1]);
  const ctx = this.ctx;
  ctx.save();
  this.plate(bar, bar.h / 2, this.look.classes[cuts]);
  ctx.clip();
  for (let k = 0; k < cuts; k++) {
    const from = k ? ends[k - 1] : 0;
    if (ends[k] > from) {
      ctx.fillStyle = this.look.classes[k];
      ctx.fillRect(bar.x + from * bar.w, bar.y, (ends[k] - from) * bar.w, bar.h);
    }
  }
  ctx.restore();
};

Painter.prototype.meanBar = function (i, bar) {
  const at = this.data.bar.slice(3 * i, 3 * i + 3).map(function (share) { return bar.x + share * bar.w; });
  this.plate(bar, bar.h / 2, this.look.neutral);
  const low = Math.min(at[1], bar.x + bar.w - bar.h), high = Math.max(at[2], bar.x + bar.h);
  this.plate({ x: low, y: bar.y, w: high - low, h: bar.h }, bar.h / 2, this.look.ribbons[this.data.shade[i]]);
  this.ctx.beginPath();
  this.ctx.arc(between(at[0], bar.x + 1, bar.x + bar.w - 1), bar.y + bar.h / 2, bar.h / 2 - 0.5, 0, 7);
  this.ctx.fillStyle = this.look.text;
  this.ctx.fill();
};

// What a folded node hides.
Painter.prototype.foldedWords = function (i, box) {
  const text = "+ " + grouped(this.tree.leaves[i]) + (this.tree.leaves[i] === 1 ? " leaf" : " leaves");
  const forms = [text, "+ " + grouped(this.tree.leaves[i]), "+"], scale = this.letters, painter = this;
  const room = Math.max(slotOf(this.frame, i), box.w) + 8;
  const fits = forms.find(function (form) { return (widthOf(painter.ctx, form, SMALL, false) + 12) * scale <= room; });
  const width = (widthOf(this.ctx, fits || "+", SMALL, false) + 12) * scale, y = box.y + box.h + 4;
  this.plate({ x: box.middle - width / 2, y: y, w: width, h: 15 * scale }, 8 * scale, this.look.card, this.look.border, 1);
  this.words(fits || "+", SMALL, false, box.middle, y + 7.5 * scale, this.look.secondary);
};

Painter.prototype.badges = function (i, box) {
  const mark = this.data.marks[i];
  if (!mark || !mark.badges.length) return;
  const ctx = this.ctx, radius = 7 * Math.max(this.zoom, 0.6);
  const most = Math.max(Math.floor((box.w + radius * 0.6) / (1.75 * radius)), 1);
  let names = this.full ? mark.badges : mark.badges.slice(0, 1);
  if (names.length > most) names = names.slice(0, most - 1).concat(["more"]);
  let x = box.x + box.w - radius * 0.6;
  const y = box.y - radius * 0.15;
  for (const name of names) {
    const strong = name === "by_hand" || name === "locked", size = this.full || strong ? radius : 0.7 * radius;
    const colours = this.data.badges[name][this.look.name].split(" ");
    ctx.beginPath();
    ctx.arc(x, y, size, 0, 7);
    ctx.fillStyle = this.full || strong ? colours[0] : this.look.secondary;
    ctx.fill();
    ctx.strokeStyle = strong || !this.full ? this.look.canvas : this.look.secondary;
    ctx.lineWidth = strong ? 1.5 : 1;
    ctx.stroke();
    if (this.full) {
      ctx.save();
      ctx.translate(x, y);
      ctx.scale(size, size);
      ctx.fillStyle = colours[1];
      ctx.fill(new Path2D(this.data.badges[name].path));
      ctx.restore();
    }
    x -= 1.75 * radius;
  }
};

// -- what is too small for words

// Groups nodes by colour, so that each colour is set once.
Painter.prototype.byShade = function (nodes, draw) {
  const groups = new Map(), painter = this;
  nodes.forEach(function (i) {
    const k = painter.data.shade[i];
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(i);
  });
  groups.forEach(function (group, k) { draw(group, painter.look.ribbons[k]); });
};

Painter.prototype.lines = function (nodes) {
  const painter = this, ctx = this.ctx, thin = Math.max(this.frame.camera.zoom, 0.25);
  this.byShade(nodes.filter(function (i) { return i > 0; }), function (group, colour) {
    ctx.strokeStyle = colour;
    const strokes = new Map();
    group.forEach(function (i) {
      const wide = Math.pow(2, between(Math.floor(Math.log2(Math.max(painter.data.ribbon[i] * thin, 1))), 0, 4));
      if (!strokes.has(wide)) strokes.set(wide, []);
      strokes.get(wide).push(i);
    });
    strokes.forEach(function (some, wide) {
      ctx.lineWidth = wide;
      ctx.beginPath();
      some.forEach(function (i) {
        const from = boxOf(painter.frame, painter.tree.parent[i]), to = boxOf(painter.frame, i);
        ctx.moveTo(between(from.middle, -REACH, painter.size[0] + REACH), Math.max(from.y + from.h, -REACH));
        ctx.lineTo(between(to.middle, -REACH, painter.size[0] + REACH), Math.min(to.y, painter.size[1] + REACH));
      });
      ctx.stroke();
    });
  });
};

Painter.prototype.boxes = function (nodes) {
  const painter = this;
  this.byShade(nodes, function (group, colour) {
    painter.ctx.fillStyle = colour;
    group.forEach(function (i) {
      const box = boxOf(painter.frame, i);
      painter.ctx.fillRect(box.x, box.y, box.w, box.h);
    });
  });
};

Painter.prototype.blocks = function (nodes) {
  const painter = this, frame = this.frame, places = frame.places;
  this.byShade(nodes, function (group, colour) {
    painter.ctx.fillStyle = colour;
    group.forEach(function (i) {
      const top = Math.max(topOf(frame, i), -REACH);
      const low = frame.camera.y + places.deepest[i] * frame.pitch + Math.max(painter.data.sizes.tile * frame.camera.zoom, 2);
      const wide = Math.max((places.right[i] - places.left[i]) * frame.sx, 1);
      painter.ctx.fillRect(frame.camera.x + places.left[i] * frame.sx, top, wide,
        Math.max(Math.min(low, painter.size[1] + REACH) - top, 1));
    });
  });
};

// The ring around the node that the keyboard is at, and around a hovered one too small for a border.
Painter.prototype.ring = function () {
  const painter = this;
  const around = function (i, colour, thick, apart) {
    const box = boxOf(painter.frame, i);
    const x = Math.max(apart, apart + (6 - box.w) / 2), y = Math.max(apart, apart + (6 - box.h) / 2);
    painter.plate({ x: box.x - x, y: box.y - y, w: box.w + 2 * x, h: box.h + 2 * y },
      6 * scaleOf(painter.frame, i) + apart, null, colour, thick);
  };
  if (this.marks.hovered >= 0 && !isNamed(this.frame, this.marks.hovered)) {
    around(this.marks.hovered, this.look.text, 1.5, 2);
  }
  if (this.marks.selected >= 0) around(this.marks.selected, this.look.accent, this.marks.focused ? 2.5 : 1.5, 3);
};
