type Bar = { label: string; value: number };

export const defaultColor = "#2f6f6a";
const barsMax = 20;

/** Lines such as `Berlin, 12`. Null if a line has no number, or there are none or too many. */
export const readBars = (text: string): Bar[] | null => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const bars = lines.map((line) => {
    const place = line.lastIndexOf(",");
    return { label: line.slice(0, place).trim(), value: Number(line.slice(place + 1)) };
  });
  const isComplete = bars.every(({ label, value }) => label !== "" && value >= 0 && value < 1e12);
  return isComplete && bars.length > 0 && bars.length <= barsMax ? bars : null;
};

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => entities[char] ?? char);

const rowHeight = 34;
const width = 640;
const labelWidth = 150;
const valueWidth = 90;

/** A bar chart as SVG. */
export const drawChart = (title: string, bars: readonly Bar[], color = defaultColor) => {
  const largest = Math.max(...bars.map(({ value }) => value), 1);
  const height = 60 + bars.length * rowHeight;
  const rows = bars.map(({ label, value }, row) => {
    const y = 50 + row * rowHeight;
    const length = Math.round((value / largest) * (width - labelWidth - valueWidth));
    return [
      `<text x="${labelWidth - 12}" y="${y + 18}" text-anchor="end">${escaped(label.slice(0, 20))}</text>`,
      `<rect x="${labelWidth}" y="${y}" width="${length}" height="24" rx="3" fill="${color}"/>`,
      `<text x="${labelWidth + length + 8}" y="${y + 18}">${value.toLocaleString("en-US")}</text>`,
    ].join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14" fill="#1c2625"><rect width="${width}" height="${height}" fill="#ffffff"/><text x="20" y="30" font-size="18" font-weight="600">${escaped(title.slice(0, 60))}</text>${rows.join("")}</svg>`;
};
