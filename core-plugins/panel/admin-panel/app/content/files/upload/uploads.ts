import type { MediaFile } from '../../../../../../../client/client.ts'
import { refreshMedia } from '../refresh-media.ts'
import { fileProblem, type UploadLimits, uploadProblem } from './problems.ts'
import { isRefusal, sendFile } from './send-file.ts'
import { isOnItsWay, type Upload, uploadList } from './upload-list.ts'

export interface UploadTarget {
  /** A folder's id; absent for none. */
  readonly folder?: number | undefined
  readonly limits: UploadLimits
  /** Called for each file that has been stored. */
  readonly onStored?: (file: MediaFile) => void
}

/** Parallel uploads. More would not be faster, since the service makes thumbnails of each image. */
const maxSending = 3

/** How often the library is reloaded while uploads finish; also once at the end. */
const refreshEveryMs = 1_500

interface Running {
  readonly controller: AbortController
  readonly target: UploadTarget
}

let count = 0
let refreshTimer: ReturnType<typeof setTimeout> | undefined
const running = new Map<number, Running>()

/** The uploads of this tab. They continue on every screen and stay in the list until cleared. */
export const uploads = {
  add(files: readonly File[], target: UploadTarget) {
    const added = files.map((file): Upload => {
      const id = ++count
      running.set(id, { controller: new AbortController(), target })
      const problem = fileProblem(file, target.limits)
      const { folder } = target
      if (problem === undefined) return { id, file, folder, state: 'waiting', sentBytes: 0 }
      return { id, file, folder, state: 'refused', sentBytes: 0, problem }
    })
    set([...uploadList.all(), ...added])
    sendNext()
  },
  retry(id: number) {
    change(id, { state: 'waiting', sentBytes: 0 })
    sendNext()
  },
  retryFailed() {
    set(
      uploadList
        .all()
        .map((each) => (each.state === 'failed' ? { ...each, state: 'waiting', sentBytes: 0 } : each)),
    )
    sendNext()
  },
  /** Aborts an upload in progress, or removes a finished one from the list. */
  remove(id: number) {
    running.get(id)?.controller.abort()
    running.delete(id)
    set(uploadList.all().filter((each) => each.id !== id))
    sendNext()
  },
  /** Removes all finished uploads from the list, failed ones included. */
  clear() {
    for (const { id } of uploadList.all().filter((each) => !isOnItsWay(each))) running.delete(id)
    set(uploadList.all().filter(isOnItsWay))
  },
}

function sendNext() {
  const free = maxSending - uploadList.all().filter(({ state }) => state === 'sending').length
  for (const upload of uploadList
    .all()
    .filter(({ state }) => state === 'waiting')
    .slice(0, Math.max(0, free))) {
    void send(upload)
  }
}

async function send({ id, file, folder }: Upload) {
  const { controller, target } = running.get(id) ?? {}
  if (controller === undefined || target === undefined) return
  change(id, { state: 'sending' })
  try {
    const onProgress = (sentBytes: number) => change(id, { sentBytes })
    const stored = await sendFile({ file, folder, signal: controller.signal, onProgress })
    change(id, { state: 'stored', sentBytes: file.size, stored })
    target.onStored?.(stored)
    refreshSoon()
  } catch (error) {
    if (controller.signal.aborted) return
    change(id, {
      state: isRefusal(error) ? 'refused' : 'failed',
      problem: uploadProblem(error, target.limits),
    })
  } finally {
    sendNext()
  }
}

function change(id: number, values: Partial<Upload>) {
  set(uploadList.all().map((each) => (each.id === id ? { ...each, ...values } : each)))
}

function set(next: readonly Upload[]) {
  const wasBusy = uploadList.all().some(isOnItsWay)
  uploadList.set(next)
  const isBusy = next.some(isOnItsWay)
  if (isBusy && !wasBusy) addEventListener('beforeunload', askBeforeLeaving)
  if (!isBusy) removeEventListener('beforeunload', askBeforeLeaving)
}

/** Leaving the page would abort uploads, so the browser asks for confirmation. */
function askBeforeLeaving(event: Event) {
  event.preventDefault()
}

function refreshSoon() {
  refreshTimer ??= setTimeout(() => {
    refreshTimer = undefined
    void refreshMedia()
  }, refreshEveryMs)
  if (uploadList.all().some(isOnItsWay)) return
  clearTimeout(refreshTimer)
  refreshTimer = undefined
  void refreshMedia()
}
