import { createObservable } from '../observable.ts'

/** `screen` stands alone in the page; a `part` belongs to a screen that works without it. */
export type PartKind = 'screen' | 'part'

/** Why code could not be fetched. */
export type MissingReason =
  /** Nobody answers, or the service refuses. */
  | 'unreachable'
  /** The service has been upgraded under this page: it has other files now. */
  | 'upgraded'
  /** The service is there, and this browser will not fetch the file again: some remember failures until a reload. */
  | 'stuck'

/** What somebody wants to see and whose code could not be fetched. */
export interface MissingParts {
  readonly reason: MissingReason
  readonly kinds: ReadonlySet<PartKind>
}

interface Waiting {
  readonly kind: PartKind
  readonly resume: () => void
}

const waiting = new Set<Waiting>()

/** Undefined while everything that was wanted is there. */
export const missingParts = createObservable<MissingParts | undefined>(undefined)

/**
 * Fetches code, and again whenever somebody asks for it or the connection is back, until it is there: React would
 * remember the first failure for good. What waits for it, waits; the page says why (`missing-notice.tsx`).
 */
export async function loadPersistently<Module>(
  load: () => Promise<Module>,
  kind: PartKind = 'part',
): Promise<Module> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load()
    } catch {
      await untilTriedAgain(kind, attempt)
    }
  }
}

/** Fetches everything that is missing once more. */
export function tryAgain() {
  const parts = [...waiting]
  waiting.clear()
  missingParts.set(undefined)
  for (const { resume } of parts) resume()
}

addEventListener('online', tryAgain)

async function untilTriedAgain(kind: PartKind, attempt: number) {
  const reason = await reasonOf(attempt)
  await new Promise<void>((resume) => {
    waiting.add({ kind, resume })
    missingParts.set({ reason, kinds: new Set([...waiting].map((each) => each.kind)) })
  })
}

/** The name of the script that this is in, which differs in every version of the panel; and the path of its folder. */
const ownScript = new URL(import.meta.url).pathname
const assetsFolder = ownScript.slice(0, ownScript.lastIndexOf('/') + 1)

/** Looks at what the service sends to whoever opens the panel now. */
async function reasonOf(attempt: number): Promise<MissingReason> {
  try {
    const answer = await fetch('/admin', { cache: 'no-store' })
    const page = await answer.text()
    // A page of something between here and the service says nothing about the panel.
    if (!answer.ok || !page.includes(assetsFolder)) return 'unreachable'
    if (!page.includes(ownScript)) return 'upgraded'
    return attempt === 1 ? 'unreachable' : 'stuck'
  } catch {
    return 'unreachable'
  }
}
