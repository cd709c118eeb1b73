/** Builds a form with a CSV file. */
export function csvForm(content: string | Uint8Array<ArrayBuffer>, field = "file"): FormData {
  const form = new FormData();
  form.append(field, new Blob([content], { type: "text/csv" }), "learners.csv");
  return form;
}
