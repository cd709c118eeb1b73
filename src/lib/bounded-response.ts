/** Copies a response. Reading the copy fails after `longestReply` bytes. */
export function boundedResponse(response: Response, longestReply: number): Response {
  if (!response.body) return response;
  let received = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      received += piece.length;
      if (received > longestReply) controller.error(new Error(`a reply of over ${longestReply} bytes`));
      else controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
}
