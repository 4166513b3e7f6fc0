import { threadId } from 'node:worker_threads'

export type Deed = 'answer' | 'throw' | 'exit' | 'exhaust memory' | 'spin' | 'sleep'

/** Misbehaves on its thread in the given way; returns the thread's id if it gets that far. */
export default async function misbehave(deed: Deed): Promise<number> {
  switch (deed) {
    case 'answer':
      return threadId
    case 'throw':
      throw new RangeError('on purpose')
    case 'exit':
      return process.exit(3)
    case 'exhaust memory':
      return exhaustMemory()
    case 'spin':
      for (;;);
    case 'sleep':
      await new Promise(() => setInterval(() => undefined, 1_000))
      return 0
  }
}

function exhaustMemory(): never {
  const kept: unknown[] = []
  for (;;) kept.push(new Array(100_000).fill(0.5))
}
