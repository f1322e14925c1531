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

const FEW_LETTERS = 6; // that are left of a text; the first of them tell most

// The text, shortened until it fits into so many pixels at scale 1, in the middle, at its end where few letters are
// left; empty where nothing is left.
function elided(ctx, text, room, size, bold) {
  if (widthOf(ctx, text, size, bold) <= room) return text;
  const letters = Array.from(text);
  let low = 0, high = letters.length - 1;
  const short = function (kept) {
    const head = kept <= FEW_LETTERS ? kept : Math.ceil(kept / 2);
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
  const whole = this.text(this.data.edge, i), scale = this.letters, at = this.edge(i), high = 16 * scale;
  const room = (slotOf(this.frame, i) + 8) / scale - 10, count = this.text(this.data.edgeCount, i), ctx = this.ctx;
  const fits = function (words) { return widthOf(ctx, words, PLAIN, false) <= room; };
  const shorter = this.data.elides[i] && room >= this.data.sizes.label;
  // Of several names their number remains: a list without its middle might be any list.
  const less = !shorter ? "" : !count ? elided(ctx, whole, room, PLAIN, false) : fits(count) ? count : "";
  const text = fits(whole) ? whole : less;
  if (!text || at[3] - at[1] < high) return;
  const width = (widthOf(this.ctx, text, PLAIN, false) + 10) * scale;
  const y = at[3] - Math.min(22 * scale, (at[3] - at[1] + high) / 2);
  this.plate({ x: at[2] - width / 2, y: y, w: width, h: high }, 8 * scale, this.look.canvas);
  this.words(text, PLAIN, false, at[2], y + high / 2, this.look.text);
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

// A line of a card, shortened to it.
Painter.prototype.line = function (text, size, bold, box, y, colour) {
  this.words(elided(this.ctx, text, (box.w - 8) / this.letters, size, bold), size, bold, box.middle, y, colour);
};

Painter.prototype.node = function (i) {
  this.use(i);
  const box = boxOf(this.frame, i), edge = this.path.has(i);
  const rim = { x: box.x + 0.5, y: box.y + 0.5, w: box.w - 1, h: box.h - 1 };
  const plain = this.tree.inner[i] && box.h >= WITH_BAR, k = this.data.shade[i];
  const fill = plain ? this.look.card : this.look.ribbons[k], ink = this.look.ribbonInks[k];
  this.plate(rim, 6 * this.zoom, fill, edge ? this.look.text : this.look.border, edge ? 1.5 : 1);
  if (this.tree.inner[i]) this.card(i, box, plain, ink); else this.tile(i, box, ink);
  this.badges(i, box);
  if (this.tree.inner[i] && this.tree.folded[i]) this.foldedWords(i, box);
};

Painter.prototype.card = function (i, box, plain, ink) {
  const zoom = this.zoom;
  if (!plain) {
    this.line(this.text(this.data.name, i), NAME, true, box, box.y + box.h / 2, ink);
    return;
  }
  const bar = { x: box.x + 10 * zoom, y: box.y + box.h - 14 * zoom, w: box.w - 20 * zoom, h: 6 * zoom };
  if (this.data.striped) this.stripe(box, i);
  this.rows(i, box, (this.data.barred ? bar.y - 3 * zoom : box.y + box.h) - box.y, this.look.text, this.look.secondary);
  if (!this.data.barred) return;
  if (this.data.task === "number") this.meanBar(i, bar); else this.classBar(i, bar);
  if (this.data.tick !== null) {
    this.ctx.fillStyle = this.look.text;
    this.ctx.fillRect(bar.x + bar.w * this.data.tick - 0.5, bar.y - 2 * zoom, Math.max(1, zoom), bar.h + 4 * zoom);
  }
};

// The node's colour along the upper edge, where neither bar nor fill shows it.
Painter.prototype.stripe = function (box, i) {
  this.ctx.save();
  this.plate({ x: box.x + 1, y: box.y + 1, w: box.w - 2, h: box.h - 2 }, 6 * this.zoom, null);
  this.ctx.clip();
  this.ctx.fillStyle = this.look.ribbons[this.data.shade[i]];
  this.ctx.fillRect(box.x, box.y, box.w, 5 * this.zoom);
  this.ctx.restore();
};

// The first lines that have room, with their middles from the top of that room.
Painter.prototype.fitting = function (lines, room) {
  const found = [];
  let at = 0;
  for (const line of lines) {
    const high = line.high * this.letters;
    if (at + high > room && found.length) break;
    found.push(at + high / 2);
    at += high;
  }
  return found.map(function (middle) { return middle + (room - at) / 2; });
};

// The lines of a card: names are shortened, figures are whole, in a shorter form, or not there.
Painter.prototype.rows = function (i, box, room, first, other) {
  const lines = this.tree.inner[i] ? this.data.lines.card : this.data.lines.tile, data = this.data, painter = this;
  const middles = this.full ? lines.map(function (line) { return line.middle * painter.zoom; }) : this.fitting(lines, room);
  middles.forEach(function (middle, k) {
    const line = lines[k], forms = data.words[i][k].map(function (form) { return data.texts[form]; });
    const ink = line.titles ? first : other, y = box.y + middle;
    if (line.titles && !data.counted[i]) {
      painter.line(forms[0], line.size, line.bold, box, y, ink);
      return;
    }
    painter.words(painter.whole(forms, box, line.size, line.bold), line.size, line.bold, box.middle, y, ink);
  });
};

Painter.prototype.tile = function (i, box, ink) {
  const zoom = this.zoom;
  if (this.full) {
    this.rows(i, box, box.h, ink, ink);
    if (this.data.stacked && this.data.barred) {
      const strip = { x: box.x + 6 * zoom, y: box.y + box.h - 10 * zoom, w: box.w - 12 * zoom, h: 5 * zoom };
      const trough = { x: strip.x - 2, y: strip.y - 2, w: strip.w + 4, h: strip.h + 4 };
      this.plate(trough, trough.h / 2, this.look.card, this.look.border, 1);
      this.classBar(i, strip);
    }
  } else if (this.fitting(this.data.lines.tile, box.h - 2).length > 1 && this.begins(i, box)) {
    this.rows(i, box, box.h, ink, ink);
  } else if (box.h >= 10) {
    const texts = this.data.texts, briefs = this.data.briefs[i].map(function (form) { return texts[form]; });
    if (this.data.counted[i]) {
      this.words(this.whole(briefs, box, NAME, true), NAME, true, box.middle, box.y + box.h / 2, ink);
    } else {
      this.line(briefs[0], NAME, true, box, box.y + box.h / 2, ink);
    }
  }
};

// The first of several forms that has room in a box.
Painter.prototype.whole = function (forms, box, size, bold) {
  const ctx = this.ctx, within = (box.w - 8) / this.letters;
  return forms.find(function (form) { return widthOf(ctx, form, size, bold) <= within; });
};

// Whether the first line of a tile has room: without it the others would say nothing.
Painter.prototype.begins = function (i, box) {
  const line = this.data.lines.tile[0], texts = this.data.texts;
  const forms = this.data.words[i][0].map(function (form) { return texts[form]; });
  return !this.data.counted[i] || Boolean(this.whole(forms, box, line.size, line.bold));
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
    const strong = ["by_hand", "locked", "disagrees"].indexOf(name) >= 0, size = this.full || strong ? radius : 0.7 * radius;
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
