import { z } from "zod";
import { list, objectId, text, webAddress } from "../lib/fields.js";
import { languageTag } from "../lib/language-tag.js";
import { playerAddress } from "../lib/player-address.js";

const address = webAddress(2_048);

const language = languageTag(64);

const markdown = text(1, 20_000).meta({ description: "Markdown" });
const video = z.object({
  kind: z.literal("video"),
  url: address,
  captions: list(z.object({ language, url: address }), 10).optional(),
});
const file = z.object({ kind: z.literal("file"), resourceId: objectId });
const embed = z.object({
  kind: z.literal("embed"),
  url: address
    .refine((value) => value.toLowerCase().startsWith("https:"))
    .overwrite(playerAddress)
    .meta({
      description: "https, of a host in `EMBED_HOSTS`; the page of a video on a usual host is stored as its player",
    }),
});
const quiz = z.object({ kind: z.literal("quiz"), chapterId: text(1, 64) });

/** The blocks of a lecture in a course form. */
export const BlocksData = list(
  z.discriminatedUnion("kind", [z.object({ kind: z.literal("text"), text: markdown }), video, file, embed, quiz]),
  50,
)
  .optional()
  .meta({ description: "absent in an edit: an existing lecture keeps its blocks; empty: no blocks" });

const textView = z.object({
  kind: z.literal("text"),
  text: z.string().meta({ description: "Markdown" }),
  html: z.string().meta({ description: "the text rendered and sanitised" }),
});
const videoView = z.object({
  kind: z.literal("video"),
  url: z.string(),
  captions: z.array(z.object({ language: z.string(), url: z.string() })).optional(),
});
const fileView = z.object({ kind: z.literal("file"), resourceId: z.string() });
const embedView = z.object({ kind: z.literal("embed"), url: z.string() });
const quizView = z.object({ kind: z.literal("quiz"), chapterId: z.string() });

/** The blocks of a lecture in replies. */
export const BlocksView = z
  .array(
    z.discriminatedUnion("kind", [textView, videoView, fileView, embedView, quizView]).meta({ id: "LectureBlock" }),
  )
  .optional()
  .meta({ description: "absent where there are none, and where `lectureUrl` may not be seen" });
