import { button, element } from './element.ts'
import type { Caller } from './service.ts'

export interface ToolbarActions {
  run(): void
  stop(): void
  tidy(): void
  showDocs(isShown: boolean): void
  showHistory(isShown: boolean): void
  /** Called when the caller has changed, and with it the schema. */
  callerChanged(): void
}

/** The bar above the editors. */
export interface Toolbar {
  readonly host: HTMLElement
  caller(): Caller
  /** While an operation runs, the run button stops it. */
  setRunning(isRunning: boolean): void
  /** Marks the button of the panel that is open beside the editors. */
  setOpen(panel: 'docs' | 'history' | undefined): void
}

export function createToolbar(actions: ToolbarActions): Toolbar {
  let isRunning = false
  const runButton = button('Run', () => (isRunning ? actions.stop() : actions.run()), {
    class: 'primary',
    'aria-keyshortcuts': 'Control+Enter',
    title: 'Run (Ctrl+Enter)',
  })
  const toggle = (label: string, show: (isShown: boolean) => void) => {
    const made = button(label, () => show(made.ariaPressed !== 'true'), { 'aria-pressed': 'false' })
    return made
  }
  const docs = toggle('Schema', actions.showDocs)
  const history = toggle('History', actions.showHistory)
  const caller = element(
    'select',
    { id: 'caller' },
    element('option', { value: 'me' }, 'Me'),
    element('option', { value: 'nobody' }, 'Nobody'),
  )
  caller.addEventListener('change', () => actions.callerChanged())
  const tidy = button('Tidy', () => actions.tidy(), { title: 'Put the operation into the usual layout' })
  const callerChoice = element('div', { class: 'caller' }, element('label', { for: 'caller' }, 'As'), caller)
  return {
    host: element(
      'header',
      { class: 'toolbar' },
      element('h1', {}, 'GraphQL'),
      ...[runButton, tidy, callerChoice, element('span', { class: 'space' }), history, docs],
    ),
    caller: () => caller.value as Caller,
    setRunning(next) {
      isRunning = next
      runButton.textContent = next ? 'Stop' : 'Run'
    },
    setOpen(panel) {
      docs.ariaPressed = String(panel === 'docs')
      history.ariaPressed = String(panel === 'history')
    },
  }
}
