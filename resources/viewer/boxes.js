// What is too small for words: boxes, whole subtrees as blocks, and the straight lines into them.

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
