// The arithmetic of a frame on a picture, as the server has it: turned by quarters, laid straight on a canvas
// that is just large enough, frame and fold in per cent of that canvas.

export const turnedSize = ({ width, height }, turns) =>
  turns % 2 ? { width: height, height: width } : { width, height };

export function canvasSize(whole, { turns, angle }) {
  const { width, height } = turnedSize(whole, turns);
  const turn = (angle * Math.PI) / 180;
  const sine = Math.abs(Math.sin(turn)),
    cosine = Math.cos(turn);
  return { width: width * cosine + height * sine, height: width * sine + height * cosine };
}

export function ownFrame({ part, split, left, top, right, bottom }) {
  return {
    left: part === "right" ? Math.max(left, split) : left,
    top,
    right: part === "left" ? Math.min(right, split) : right,
    bottom,
  };
}

// A fold that moves takes the inner edge along that lay at it; one that was drawn in stays.
export function movedEdge({ part, split, left, right }, fold) {
  if (part === "left" && right >= split) return { right: fold };
  if (part === "right" && left <= split) return { left: fold };
  return {};
}

export const canvasTransform = (turned, canvas, angle) =>
  `translate(${turned.width / 2} ${turned.height / 2}) rotate(${-angle}) translate(${-canvas.width / 2} ${-canvas.height / 2})`;
