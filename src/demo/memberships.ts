import type { DemoUserId } from "./users.js";

/** Who is in which group of the demo data, by the group's address. */
export const memberships: readonly { readonly group: string; readonly members: readonly DemoUserId[] }[] = [
  {
    group: "web-development",
    members: [
      "user_demo_asha",
      "user_demo_liam",
      "user_demo_yuki",
      "user_demo_meera",
      "user_demo_omar",
      "user_demo_ravi",
    ],
  },
  { group: "data-science-ai", members: ["user_demo_devi", "user_demo_sara", "user_demo_grace", "user_demo_liam"] },
  { group: "ui-ux-design", members: ["user_demo_nina", "user_demo_tomas", "user_demo_ravi"] },
  { group: "career-jobs", members: ["user_demo_omar", "user_demo_liam"] },
];
