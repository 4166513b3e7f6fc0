import type { Awaitable } from 'mortise/plugin'
import { targetKey } from './paths.ts'

/** More redirects in a row are a mistake; browsers give up after some twenty. */
export const maxChain = 10

type Step = { readonly from: string; readonly to: string }

/** How a chain of redirects that begins with `first` ends. Bounded, whatever the rules are. */
export async function chainEnd(
  first: Step,
  find: (from: string) => Awaitable<Step | undefined>,
): Promise<'fine' | 'loop' | 'long'> {
  const seen = new Set([first.from])
  let step: Step | undefined = first
  while (step !== undefined && seen.size <= maxChain) {
    const key = targetKey(step.to)
    if (key === undefined) return 'fine'
    if (seen.has(key)) return 'loop'
    seen.add(key)
    step = await find(key)
  }
  return step === undefined ? 'fine' : 'long'
}
