import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { init } from "echarts";

/*
 * node --import tsx ops/grafana/render-dashboard.ts --prometheus http://127.0.0.1:9090 --minutes 15 --row Database --out database.svg
 *
 * Draws rows of the dashboard from the data of a Prometheus, without a Grafana.
 */

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly gridPos: { x: number; y: number; w: number; h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { expr: string; legendFormat: string }[];
}
interface Series {
  readonly metric: Record<string, string>;
  readonly values: readonly [number, string][];
}

const { values } = parseArgs({
  options: {
    prometheus: { type: "string", default: "http://127.0.0.1:9090" },
    minutes: { type: "string", default: "15" },
    row: { type: "string", multiple: true, default: [] },
    out: { type: "string", default: "dashboard.svg" },
  },
});

/** Pixels of a grid unit, pixels between panels, and seconds between two points. */
const [unitWidth, unitHeight, gap, stepSeconds] = [48, 34, 8, 5];
const mostSeries = 6;

const { panels } = JSON.parse(readFileSync(new URL("lyceum.json", import.meta.url), "utf8")) as { panels: Panel[] };
const drawn = panels.filter((panel) => panel.type !== "row" && isWanted(panel));

/** Assigns each panel to the last row above it. */
function isWanted({ gridPos }: Panel): boolean {
  const row = panels.findLast(({ type, gridPos: { y } }) => type === "row" && y < gridPos.y);
  return values.row.length === 0 || values.row.includes(row?.title ?? "");
}

async function seriesOf({ targets }: Panel) {
  const end = Date.now() / 1_000;
  const found = await Promise.all(
    targets.map(async ({ expr, legendFormat }) => {
      const query = new URLSearchParams({
        query: expr.replaceAll("$__rate_interval", "1m"),
        start: String(end - Number(values.minutes) * 60),
        end: String(end),
        step: String(stepSeconds),
      });
      const reply = await fetch(`${values.prometheus}/api/v1/query_range?${query}`);
      const { data, error } = (await reply.json()) as { data?: { result: Series[] }; error?: string };
      if (!data) throw new Error(`${expr}: ${error}`);
      return data.result.map(({ metric, values: points }) => ({
        name: legendFormat
          ? legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? "")
          : (metric.instance ?? "value"),
        data: points.map(([at, value]) => [at * 1_000, value === "NaN" ? null : Number(value)]),
      }));
    }),
  );
  const height = (data: (number | null)[][]) => Math.max(...data.map(([, value]) => value ?? 0));
  return found
    .flat()
    .sort((a, b) => height(b.data) - height(a.data))
    .slice(0, mostSeries);
}

const units: Record<string, (value: number) => string> = {
  s: (value) => (value < 1 ? `${Number((value * 1_000).toPrecision(3))} ms` : `${Number(value.toPrecision(3))} s`),
  bytes: (value) => `${Math.round(value / 1_048_576)} MiB`,
};

/** A name takes about five pixels a letter, plus its mark. */
const legendRows = (series: readonly { name: string }[], width: number): number =>
  Math.ceil(series.reduce((sum, { name }) => sum + name.length * 5.5 + 26, 0) / (width - 60));

async function draw(panel: Panel): Promise<string> {
  const { gridPos, title, fieldConfig } = panel;
  const [width, height] = [gridPos.w * unitWidth - gap, gridPos.h * unitHeight - gap];
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  const series = await seriesOf(panel);
  const formatter = units[fieldConfig.defaults.unit] ?? ((value: number) => String(Number(value.toPrecision(4))));
  chart.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    title: { text: title, left: 8, top: 6, textStyle: { fontSize: 13 } },
    grid: { left: 62, right: 14, top: 34, bottom: 34 + legendRows(series, width) * 17 },
    legend: {
      bottom: 4,
      left: 8,
      right: 8,
      type: "plain",
      itemWidth: 10,
      itemHeight: 6,
      textStyle: { fontSize: 9 },
    },
    xAxis: { type: "time", axisLabel: { fontSize: 9, hideOverlap: true, formatter: "{HH}:{mm}" } },
    yAxis: { type: "value", min: 0, axisLabel: { fontSize: 9, formatter } },
    series: series.map((one) => ({ ...one, type: "line" as const, showSymbol: false, lineStyle: { width: 1.3 } })),
    ...(series.length === 0
      ? {
          graphic: {
            type: "text" as const,
            left: "center",
            top: "middle",
            style: { text: "none in this time", fill: "#888888" },
          },
        }
      : {}),
  });
  // Remove the styles, because they are for a pointer.
  const svg = chart.renderToSVGString().replace(/<style[\s\S]*?<\/style>/g, "");
  chart.dispose();
  return svg;
}

/** Joins the panels of the selected rows into one picture. */
const rows = [...new Set(drawn.map(({ gridPos }) => gridPos.y))].sort((a, b) => a - b);
const pictures = await Promise.all(
  drawn.map(async (panel) => {
    const [x, y] = [panel.gridPos.x * unitWidth + gap, rows.indexOf(panel.gridPos.y) * 7 * unitHeight + gap];
    return (await draw(panel)).replace(/<svg([^>]*)>/, `<svg x="${x}" y="${y}"$1><title>${panel.title}</title>`);
  }),
);
const [width, height] = [24 * unitWidth + gap, rows.length * 7 * unitHeight + gap];
writeFileSync(
  values.out,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${values.row.join(", ") || "Lyceum"}</title><rect width="100%" height="100%" fill="#eef0f3"/>${pictures.join("")}</svg>\n`,
);
console.info(`${values.out}: ${drawn.length} panels`);
