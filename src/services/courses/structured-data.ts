import type { Course as CourseData, WithContext } from "schema-dts";
import type { Config } from "../../config.js";
import { plainText } from "../ai/plain-text.js";
import { priceBreakdown, toMajor } from "../payments/price.js";
import type { CourseView } from "./course-view.js";

/** Length of the description in code points. Search engines show less. Subtitles are shorter. */
const maxDescription = 500;

/**
 * Describes a course to search engines, in the vocabulary of schema.org, with what Google requires of a course. It is data:
 * whoever writes it into a page escapes `<` as `\u003c`.
 */
export function structuredDataOf(
  course: CourseView,
  { platform, frontendUrl, currency }: Pick<Config, "platform" | "frontendUrl" | "currency">,
): WithContext<CourseData> {
  const { subtitle, language, level, tags, category, outcomes, requirements } = course;
  const price = toMajor(priceBreakdown({ course, buyer: null, currency }).totalMinor, currency);
  return {
    "@context": "https://schema.org",
    "@type": "Course",
    identifier: String(course._id),
    name: course.courseTitle,
    description: subtitle || plainText(course.courseDescription, maxDescription) || course.courseTitle,
    ...(course.courseThumbnail && { image: course.courseThumbnail }),
    provider: { "@type": "Organization", name: platform.name, url: frontendUrl },
    ...(category && { about: { "@type": "Thing", name: category } }),
    ...(tags?.length && { keywords: tags }),
    ...(level && { educationalLevel: level }),
    ...(language && { inLanguage: language }),
    ...(outcomes?.length && { teaches: outcomes }),
    ...(requirements?.length && { coursePrerequisites: requirements }),
    dateCreated: course.createdAt.toISOString(),
    dateModified: course.updatedAt.toISOString(),
    offers: { "@type": "Offer", category: price > 0 ? "Paid" : "Free", price, priceCurrency: currency },
    hasCourseInstance: {
      "@type": "CourseInstance",
      courseMode: "Online",
      courseWorkload: `PT${Math.ceil(course.totalDurationMinutes)}M`,
      instructor: { "@type": "Person", name: course.educatorId.name },
    },
    ...(course.totalRatings > 0 && {
      aggregateRating: {
        "@type": "AggregateRating",
        ratingValue: course.averageRating,
        ratingCount: course.totalRatings,
        bestRating: 5,
        worstRating: 1,
      },
    }),
  };
}
