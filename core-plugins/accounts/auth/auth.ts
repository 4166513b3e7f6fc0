export {
  type AccountEvent,
  invitationAccepted,
  loggedIn,
  loggedOut,
  loginFailed,
  passwordChanged,
  passwordForgotten,
} from './account-hooks.ts'
export { type AccountWrite, type AccountWriteListener, accountWrites } from './account-writes.ts'
export {
  type AdminRecovery,
  type AdminUser,
  adminRecoveryService,
  type NewAdminUser,
} from './admin-recovery-service.ts'
export {
  type Auth,
  authService,
  type ContentAction,
  type Makers,
  type MediaAction,
  type Permissions,
} from './auth-service.ts'
export {
  type ContentUser,
  type ContentUserSession,
  type ContentUserSignIn,
  contentUserSignInService,
} from './content-user-sign-in-service.ts'
export { operator } from './operator.ts'
export { type PasswordLink, type PasswordLinkMail, passwordLinkMail } from './password-link-mail.ts'
export {
  type PasswordReset,
  type PasswordResetDelivery,
  passwordReset,
  passwordResetDelivery,
} from './password-reset-delivery.ts'
export { contentActions } from './permissions.ts'
export { areCookiesSecure } from './settings.ts'
export { shownActor } from './shown-actor.ts'
export { type SignIn, signInPage, signInScript } from './sign-in-page.ts'
export { type TakenAddress, type TakenAddressMail, takenAddressMail } from './taken-address-mail.ts'
