import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError, type OptionsOf } from '../core-plugins/panel/extensions/extensions.ts'
import type { Terminal } from './confirm.ts'

/**
 * Where a password comes from. Never from the arguments: those show up in the process list and in the shell's
 * history.
 */
export const passwordOptions = {
  passwordStdin: { type: 'boolean', summary: 'reads the password from standard input' },
  generate: { type: 'boolean', summary: 'makes a password up and shows it once' },
} as const

export type PasswordOptions = OptionsOf<typeof passwordOptions>

export interface GivenPassword {
  readonly password: string
  /** Whether the password was generated, and must therefore be shown. */
  readonly isGenerated: boolean
}

/** Prompts by default. @throws CommandError without a terminal to prompt on, or if the two answers differ */
export async function readPassword(options: PasswordOptions, terminal: Terminal): Promise<GivenPassword> {
  if (options.generate) {
    return { password: randomBytes(15).toString('base64url'), isGenerated: true }
  }
  return { password: await givenPassword(options, terminal), isGenerated: false }
}

async function givenPassword(options: PasswordOptions, terminal: Terminal): Promise<string> {
  if (options.passwordStdin) return (await text(terminal.input)).replace(/\r?\n$/, '')
  if (terminal.input.isTTY !== true) {
    throw new CommandError(
      'cannot prompt for a password without a terminal: use --password-stdin or --generate',
    )
  }
  const password = await askSecret('New password: ', terminal)
  if (password === (await askSecret('Once more: ', terminal))) return password
  throw new CommandError('the passwords do not match; nothing was changed')
}

/** Does not echo what is typed. */
export async function askSecret(question: string, { input, output }: Terminal): Promise<string> {
  output.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input, output: nowhere, terminal: true })
  // Without a listener, Ctrl-C only ends the prompt.
  prompt.on('SIGINT', () => process.exit(130))
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    output.write('\n')
  }
}
