/**
 * The exports of `@clerk/clerk-react` that the emulator does not have. An application can import them, and the error
 * names the export that it renders or calls.
 * @param {string} name
 * @returns {(...args: unknown[]) => never}
 */
const refuse = (name) => () => {
  throw new Error(`The identity emulator has no ${name}. Use the provider's package for this part of the application.`);
};

export const APIKeys = refuse("APIKeys");
export const AuthenticateWithRedirectCallback = refuse("AuthenticateWithRedirectCallback");
export const CreateOrganization = refuse("CreateOrganization");
export const OrganizationList = refuse("OrganizationList");
export const OrganizationProfile = refuse("OrganizationProfile");
export const OrganizationSwitcher = refuse("OrganizationSwitcher");
export const PricingTable = refuse("PricingTable");
export const RedirectToCreateOrganization = refuse("RedirectToCreateOrganization");
export const RedirectToOrganizationProfile = refuse("RedirectToOrganizationProfile");
export const RedirectToTasks = refuse("RedirectToTasks");
export const RedirectToUserProfile = refuse("RedirectToUserProfile");
export const SignInWithMetamaskButton = refuse("SignInWithMetamaskButton");
export const TaskChooseOrganization = refuse("TaskChooseOrganization");
export const TaskResetPassword = refuse("TaskResetPassword");
export const TaskSetupMFA = refuse("TaskSetupMFA");
export const Waitlist = refuse("Waitlist");
export const __experimental_CheckoutProvider = refuse("__experimental_CheckoutProvider");
export const __experimental_PaymentElement = refuse("__experimental_PaymentElement");
export const __experimental_PaymentElementProvider = refuse("__experimental_PaymentElementProvider");
export const __experimental_useCheckout = refuse("__experimental_useCheckout");
export const __experimental_usePaymentElement = refuse("__experimental_usePaymentElement");
export const useEmailLink = refuse("useEmailLink");
export const useOrganizationCreationDefaults = refuse("useOrganizationCreationDefaults");
export const useOrganizationList = refuse("useOrganizationList");
export const useReverification = refuse("useReverification");
export const useSessionList = refuse("useSessionList");
export const useSignIn = refuse("useSignIn");
export const useSignUp = refuse("useSignUp");
