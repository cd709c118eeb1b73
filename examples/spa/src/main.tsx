import { ClerkProvider } from "@clerk/react";
import { createRoot } from "react-dom/client";
import { App } from "./App.js";
import { followLinks } from "./addresses.js";

const publishableKey: string = import.meta.env.VITE_CLERK_PUBLISHABLE_KEY ?? "";

followLinks();
createRoot(document.getElementById("root") as HTMLElement).render(
  <ClerkProvider publishableKey={publishableKey}>
    <App />
  </ClerkProvider>,
);
