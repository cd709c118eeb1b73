import users from "./content/users.json" with { type: "json" };

/** The accounts as the identity provider stores them. Their ids are fixed, so that notes and scripts can keep tokens. */
export const demoUsers = users.accounts.map((user, i) => ({
  ...user,
  email: emailOf(user.id),
  imageUrl: drawAvatar(user.firstName, i),
}));

export function emailOf(id: string): string {
  return `${id.slice("user_demo_".length)}@lyceum.example`;
}

/** Draws an initial on a coloured disc. A data URL needs no network. */
function drawAvatar(name: string, index: number): string {
  const hue = (index * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="48" fill="hsl(${hue} 55% 42%)"/><text x="48" y="63" font-family="sans-serif" font-size="44" fill="#fff" text-anchor="middle">${[...name][0] ?? ""}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

export function fullNameOf(id: string): string {
  const user = demoUsers.find((candidate) => candidate.id === id);
  return `${user?.firstName} ${user?.lastName}`;
}

/** The demo users whom the console offers for sign-in. */
export const personas = users.personas.map((persona) => ({ ...persona, name: fullNameOf(persona.id) }));
