export {
  type AccountEvent,
  invitationAccepted,
  loggedIn,
  loggedOut,
  loginFailed,
  passwordChanged,
  passwordForgotten,
} from './accounts/account-hooks.ts'
export { type AccountWrite, type AccountWriteListener, accountWrites } from './accounts/account-writes.ts'
export {
  type AdminRecovery,
  type AdminUser,
  adminRecoveryService,
  type NewAdminUser,
} from './accounts/admin-recovery-service.ts'
export { personSchema, shownActor } from './accounts/shown-actor.ts'
export { type TakenAddress, type TakenAddressMail, takenAddressMail } from './accounts/taken-address-mail.ts'
export {
  type Auth,
  authService,
  type ContentAction,
  type Makers,
  type MediaAction,
  type Permissions,
} from './auth-service.ts'
export { operator } from './operator.ts'
export { type PasswordLink, type PasswordLinkMail, passwordLinkMail } from './passwords/password-link-mail.ts'
export {
  type PasswordReset,
  type PasswordResetDelivery,
  passwordReset,
  passwordResetDelivery,
} from './passwords/password-reset-delivery.ts'
export { contentActions } from './roles/permissions.ts'
export { areCookiesSecure } from './settings.ts'
export {
  type ContentUser,
  type ContentUserSession,
  type ContentUserSignIn,
  contentUserSignInService,
} from './sign-in/content-user-sign-in-service.ts'
export { type SignIn, signInPage, signInScript } from './sign-in/sign-in-page.ts'
