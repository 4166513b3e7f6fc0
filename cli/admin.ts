import { auditService } from '../core-plugins/audit/audit.ts'
import { type AdminRecovery, type AdminUser, adminRecoveryService } from '../core-plugins/auth/auth.ts'
import { AppError } from '../core-plugins/http/http.ts'
import { type Kernel, StartupError } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { type Arguments, type Command, UsageError } from './command.ts'
import { startAccounts } from './partial-service.ts'
import { passwordOptions, readPassword } from './read-password.ts'

const superAdmin = 'super-admin'

/**
 * For when the password of the last super-admin is lost: works directly on the database and needs no account.
 */
export const adminCommand: Command = {
  usage: 'create|reset-password <account>',
  summary:
    'makes an admin user, or sets a new password; asks for it unless --password-stdin or --generate, ' +
    '--username and --role for a new one',
  maxArguments: 2,
  options: { ...passwordOptions, username: { type: 'string' }, role: { type: 'string' } },
  async run(project, action, all) {
    const [, account] = all.positionals
    const work = action === 'create' ? create : action === 'reset-password' ? resetPassword : undefined
    if (work === undefined || account === undefined) {
      throw new UsageError('use `admin create <e-mail address>` or `admin reset-password <account>`')
    }
    return withAccounts(project, (kernel) => work(kernel, account, all))
  },
}

async function withAccounts(
  project: ServiceOptions,
  work: (kernel: Kernel) => Promise<string>,
): Promise<string> {
  const kernel = await startAccounts(project).catch(explainStart)
  try {
    return await work(kernel).catch(explain)
  } finally {
    await kernel.stop()
  }
}

function explainStart(error: unknown): never {
  if (!(error instanceof StartupError)) throw error
  throw new UsageError(
    `${error.message}If the database is new, start the service once: that makes its tables.`,
  )
}

/** What is wrong, in words for whoever typed the command. */
function explain(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`)
  throw new UsageError(details.length === 0 ? error.message : details.join('\n'))
}

async function create(kernel: Kernel, email: string, all: Arguments): Promise<string> {
  const username = textOption(all, 'username') ?? email.split('@', 1)[0] ?? email
  const role = textOption(all, 'role') ?? superAdmin
  const recovery: AdminRecovery = kernel.get(adminRecoveryService)
  const { password, isGenerated } = await readPassword(all)
  const user = await recovery.create({ email, username, password, role })
  await record(kernel, 'user.create', user, ['email', 'username', 'password', 'role'])
  return `made ${named(user)}, ${user.role}${shown(password, isGenerated)}`
}

async function resetPassword(kernel: Kernel, identifier: string, all: Arguments): Promise<string> {
  const { password, isGenerated } = await readPassword(all)
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

function textOption({ options }: Arguments, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
