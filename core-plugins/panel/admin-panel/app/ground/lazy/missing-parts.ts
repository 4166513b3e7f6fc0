import { createObservable } from '../observable.ts'

/** `screen`: a whole page; `part`: belongs to a screen that works without it. */
export type PartKind = 'screen' | 'part'

/** Why code could not be fetched. */
export type MissingReason =
  /** The service does not respond or refuses the request. */
  | 'unreachable'
  /** The service was upgraded while the page was open and has other files now. */
  | 'upgraded'
  /** The service works, but the browser does not request the file again: some cache failed imports until a reload. */
  | 'stuck'

/** Requested parts whose code could not be loaded. */
export interface MissingParts {
  readonly reason: MissingReason
  readonly kinds: ReadonlySet<PartKind>
}

interface Waiting {
  readonly kind: PartKind
  readonly resume: () => void
}

const waiting = new Set<Waiting>()

/** Undefined if nothing is missing. */
export const missingParts = createObservable<MissingParts | undefined>(undefined)

/**
 * Imports code, retrying on request and when the connection is back, until it succeeds: React would remember the first failure
 * for good. Components stay suspended meanwhile; the page shows the reason (`missing-notice.tsx`).
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

/** Retries everything that is missing. */
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

/** The path of this script, whose name differs in every version of the panel, and the path of its folder. */
const ownScript = new URL(import.meta.url).pathname
const assetsFolder = ownScript.slice(0, ownScript.lastIndexOf('/') + 1)

/** Finds the reason from the page that the service now serves for the panel. */
async function reasonOf(attempt: number): Promise<MissingReason> {
  try {
    const answer = await fetch('/admin', { cache: 'no-store' })
    const page = await answer.text()
    // A page from a proxy says nothing about the panel.
    if (!answer.ok || !page.includes(assetsFolder)) return 'unreachable'
    if (!page.includes(ownScript)) return 'upgraded'
    return attempt === 1 ? 'unreachable' : 'stuck'
  } catch {
    return 'unreachable'
  }
}
