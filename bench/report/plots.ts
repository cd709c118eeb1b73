import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as echarts from "echarts";
import type { Axis, Chart } from "../part.js";

const folder = "docs/images/performance";
const size = { width: 860, height: 480 };
/** Told apart by readers with colour blindness (Okabe and Ito), and on white and on black alike. */
const colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a7a00", "#56b4e9", "#7f7f7f", "#e69f00", "#7b3fa0"];

/** Draws charts as SVG, for documents. */
export async function storePlots(charts: readonly Chart[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const chart of charts) await writeFile(join(folder, `${chart.file}.svg`), drawn(chart));
}

function drawn({ title, x, y, series, limit }: Chart): string {
  const plot = echarts.init(null, null, { renderer: "svg", ssr: true, ...size });
  const markLine = {
    ...{ silent: true, symbol: "none", lineStyle: { color: "#b00020", type: "dashed" as const } },
    data: [{ yAxis: limit ?? 0, label: { formatter: String(limit), color: "#b00020" } }],
  };
  plot.setOption({
    ...{ animation: false, backgroundColor: "#ffffff", color: colors },
    title: { text: title, left: "center", textStyle: { fontSize: 15 } },
    legend: { bottom: 0, type: "plain" },
    grid: { left: 70, right: 40, top: 60, bottom: 90 },
    xAxis: { ...axis(x), nameLocation: "middle", nameGap: 30 },
    yAxis: { ...axis(y), nameLocation: "end" },
    series: series.map(({ name, points }, i) => ({
      ...{ name, type: "line", data: points.map((point) => [...point]), symbolSize: points.length > 50 ? 0 : 7 },
      ...(limit !== undefined && i === 0 ? { markLine } : {}),
    })),
  });
  const svg = plot.renderToSVGString();
  plot.dispose();
  return `${svg}\n`;
}

const axis = ({ name, log = false }: Axis) => ({
  name,
  type: log ? ("log" as const) : ("value" as const),
  scale: true,
});
