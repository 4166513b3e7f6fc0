import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'

/** The terminal on which a command asks its user. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/** Resolves if the answer is yes. @throws CommandError without a terminal to ask on, or for any other answer */
export async function confirm(question: string, { input, output }: Terminal): Promise<void> {
  if (input.isTTY !== true) throw new CommandError('cannot ask without a terminal: use --yes, or --dry-run')
  const prompt = createInterface({ input, output })
  try {
    // Ctrl-C and Ctrl-D close the prompt and leave the question without an answer.
    const closed = new Promise<string>((resolve) => prompt.once('close', () => resolve('')))
    const answer = await Promise.race([prompt.question(`${question} (yes/no) `), closed])
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('nothing was changed')
  } finally {
    prompt.close()
  }
}
