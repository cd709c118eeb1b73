/** The people of the demo data. Ids are fixed, so that tokens for them can be issued and kept in notes and scripts. */
export interface DemoPerson {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role?: "educator" | "admin";
}

export const people = [
  { id: "user_demo_admin", firstName: "Anjali", lastName: "Deshmukh", role: "admin" },
  { id: "user_demo_meera", firstName: "Meera", lastName: "Iyer", role: "educator" },
  { id: "user_demo_tomas", firstName: "Tomás", lastName: "Ferreira", role: "educator" },
  { id: "user_demo_grace", firstName: "Grace", lastName: "Okafor", role: "educator" },
  { id: "user_demo_asha", firstName: "Asha", lastName: "Rao" },
  { id: "user_demo_devi", firstName: "देवी", lastName: "शर्मा" },
  { id: "user_demo_liam", firstName: "Liam", lastName: "Murphy" },
  { id: "user_demo_yuki", firstName: "Yuki", lastName: "Tanaka" },
  { id: "user_demo_sara", firstName: "Sara", lastName: "Lindqvist" },
  { id: "user_demo_omar", firstName: "Omar", lastName: "Haddad" },
  { id: "user_demo_nina", firstName: "Nina", lastName: "Kowalska" },
  { id: "user_demo_ravi", firstName: "Ravi", lastName: "Menon" },
] as const satisfies readonly DemoPerson[];

export type DemoPersonId = (typeof people)[number]["id"];
