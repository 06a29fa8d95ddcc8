// Texts of the page whose contrast is below WCAG 2.2 AA, as "ratio selector: text".
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
function rgba(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
function behind(element) {
  const layers = [];
  for (let each = element; each; each = each.parentElement) layers.push(rgba(getComputedStyle(each).backgroundColor));
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
}
function luminance(colour) {
  const [r, g, b] = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
  if (!text || !element.checkVisibility() || element.closest(".visually-hidden, .skip")) continue;
  const style = getComputedStyle(element);
  const below = behind(element);
  const pair = [luminance(over(rgba(style.color), below)), luminance(below)].sort((a, b) => b - a);
  const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
  const px = parseFloat(style.fontSize);
  const large = px >= 24 || (px >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (large ? 3 : 4.5)) found.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${text.slice(0, 40)}`);
}
return found;
