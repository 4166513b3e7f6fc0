import { useState, useSyncExternalStore } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../button/button.tsx'
import { Icon } from '../icon/icon.tsx'
import classes from './toast.module.css'

interface Toast {
  readonly id: number
  readonly tone: 'info' | 'success' | 'danger'
  readonly text: string
  readonly action?: ToastAction
}

export interface ToastAction {
  readonly label: string
  readonly onAction: () => void
  /** How long the action is possible, in milliseconds: the toast stays that long unless closed. */
  readonly availableMs?: number
}

/** Long enough to read and to reach the action; errors stay until closed. */
const visibleMs = 8_000

let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()

/** Shows a brief message that something was done or failed: `toast('success', t('entry.saved'))`. */
export function toast(tone: Toast['tone'], text: string, action?: ToastAction) {
  const id = ++count
  set([...toasts, { id, tone, text, ...(action && { action }) }])
  if (tone !== 'danger') setTimeout(() => remove(id), action?.availableMs ?? visibleMs)
}

const remove = (id: number) => set(toasts.filter((each) => each.id !== id))

function set(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const icons = { info: 'info', success: 'circle-check', danger: 'circle-alert' }

/** The newest toasts shown at once; the others wait behind a button, with their actions. */
const atOnce = 3

/** The list of toasts, newest first; mount it once per page. */
export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => toasts)
  const [isWhole, setWhole] = useState(false)
  const hasMore = all.length > atOnce
  if (isWhole && !hasMore) setWhole(false)
  const shown = all.toReversed().slice(0, isWhole ? all.length : atOnce)
  return (
    <section
      className={`${classes.toasts} ${isWhole ? classes.whole : ''}`}
      aria-label={t('kit.messages')}
      aria-live="polite"
    >
      {shown.map(({ id, tone, text, action }) => (
        <div key={id} className={`${classes.toast} ${classes[tone]}`}>
          <Icon name={icons[tone]} />
          <p className={classes.text}>{text}</p>
          {action !== undefined && (
            <button
              type="button"
              className={classes.action}
              onClick={() => {
                action.onAction()
                remove(id)
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon="x" label={t('kit.close')} size="s" onPress={() => remove(id)} />
        </div>
      ))}
      {hasMore && (
        <div className={classes.more}>
          <Button size="s" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? t('kit.fewerMessages') : t('kit.moreMessages', { count: all.length - atOnce })}
          </Button>
          <Button size="s" onPress={() => set([])}>
            {t('kit.closeAll')}
          </Button>
        </div>
      )}
    </section>
  )
}
