import {
  type AdminRecovery,
  type AdminUser,
  adminRecoveryService,
} from '../core-plugins/accounts/auth/auth.ts'
import { auditService } from '../core-plugins/background/audit/audit.ts'
import type { Kernel } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import type { Terminal } from './confirm.ts'
import { startAccounts } from './partial-service.ts'
import { type PasswordOptions, passwordOptions, readPassword } from './read-password.ts'

const superAdmin = 'super-admin'

/*
 * For when the password of the last super-admin is lost: works directly on the database and needs no account.
 */

export const adminCreateCommand = defineCoreCommand({
  name: 'admin create',
  summary: 'makes an admin user; asks for the password',
  example: 'admin create rescue@example.com --username rescue --generate',
  arguments: { email: { summary: 'the e-mail address' } },
  options: {
    username: { type: 'string', summary: 'default: the address up to the @' },
    role: { type: 'string', summary: `default: ${superAdmin}` },
    ...passwordOptions,
  },
  run: ({ project, terminal, arguments: { email }, options }) =>
    withAccounts(project, (kernel) => create(kernel, email, { ...options, terminal })),
})

export const adminResetPasswordCommand = defineCoreCommand({
  name: 'admin reset-password',
  summary: 'sets a new password for an admin user, whose sessions end; asks for the password',
  example: 'admin reset-password admin@example.com',
  arguments: { account: { summary: 'its e-mail address or user name' } },
  options: passwordOptions,
  run: ({ project, terminal, arguments: { account }, options }) =>
    withAccounts(project, (kernel) => resetPassword(kernel, account, { ...options, terminal })),
})

async function withAccounts(
  project: ServiceOptions,
  work: (kernel: Kernel) => Promise<string>,
): Promise<string> {
  const kernel = await startAccounts(project)
  try {
    return await work(kernel)
  } finally {
    await kernel.stop()
  }
}

interface NewPassword extends PasswordOptions {
  readonly terminal: Terminal
}

interface NewAdmin extends NewPassword {
  readonly username?: string | undefined
  readonly role?: string | undefined
}

async function create(kernel: Kernel, email: string, options: NewAdmin): Promise<string> {
  const { username = email.split('@', 1)[0] ?? email, role = superAdmin } = options
  const recovery: AdminRecovery = kernel.get(adminRecoveryService)
  const { password, isGenerated } = await readPassword(options, options.terminal)
  const user = await recovery.create({ email, username, password, role })
  await record(kernel, 'user.create', user, ['email', 'username', 'password', 'role'])
  return `made ${named(user)}, ${user.role}${shown(password, isGenerated)}`
}

async function resetPassword(kernel: Kernel, identifier: string, options: NewPassword): Promise<string> {
  const { password, isGenerated } = await readPassword(options, options.terminal)
  const user = await kernel.get(adminRecoveryService).resetPassword(identifier, password)
  await record(kernel, 'user.update', user, ['password'])
  const hint = user.blocked ? '\nthe account is blocked; another super-admin has to unblock it' : ''
  return `set a new password for ${named(user)}, whose sessions have ended${shown(password, isGenerated)}${hint}`
}

async function record(kernel: Kernel, action: string, { id }: AdminUser, fields: readonly string[]) {
  const details = { fields, by: 'command line' }
  await kernel.get(auditService).record({ action, principal: null, resource: `user:${id}`, details })
}

function named({ email, username }: AdminUser): string {
  return `${username} <${email}>`
}

function shown(password: string, isGenerated: boolean): string {
  return isGenerated
    ? `\npassword: ${password} - shown this once; change it`
    : '; it has to be changed at the next login'
}
