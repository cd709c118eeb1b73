import { type DemoUserId, demoUsers } from "./users.js";

/** A user of the demo data in a state worth looking at. */
export interface Persona {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly about: string;
}

const states = {
  user_demo_kofi: ["new learner", "Has signed up and bought nothing yet."],
  user_demo_yuki: ["half-way learner", "Is part-way through three courses; one purchase waits for money."],
  user_demo_asha: ["finished learner", "Has completed two courses and holds their certificates."],
  user_demo_meera: ["educator", "Has published courses, with sales and ratings."],
  user_demo_ravi: ["applicant", "Has applied as an educator; the decision is open."],
  user_demo_nina: ["refunded learner", "Was refunded for one course and is part-way through two others."],
  user_demo_admin: ["admin", "Decides applications, reports and refunds."],
} as const satisfies Partial<Record<DemoUserId, readonly [state: string, about: string]>>;

export const personas: readonly Persona[] = Object.entries(states).flatMap(([id, [state, about]]) => {
  const user = demoUsers.find((one) => one.id === id);
  return user ? [{ id: user.id, name: `${user.firstName} ${user.lastName}`, state, about }] : [];
});
