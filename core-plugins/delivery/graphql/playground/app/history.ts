import { button, element } from './element.ts'
import { forget, history, type KeptOperation } from './kept.ts'

/** The operations that were sent in this tab. */
export interface HistoryPanel {
  readonly host: HTMLElement
  draw(): void
}

export function createHistory(use: (operation: KeptOperation) => void): HistoryPanel {
  const host = element('div', { class: 'docs' })
  const panel: HistoryPanel = {
    host,
    draw() {
      const items = history().map((operation) =>
        element(
          'li',
          {},
          button(titleOf(operation), () => use(operation), { class: 'link' }),
        ),
      )
      const clear = button('Forget all', forgetAll, { class: 'small' })
      const hint = element(
        'p',
        { class: 'muted' },
        'What you send in this tab stands here until you close it.',
      )
      host.replaceChildren(
        element(
          'div',
          { class: 'docs-title' },
          element('h2', {}, 'History'),
          ...(items.length > 0 ? [clear] : []),
        ),
        items.length > 0 ? element('ul', { class: 'found' }, ...items) : hint,
      )
    },
  }
  function forgetAll() {
    forget()
    panel.draw()
  }
  return panel
}

const titleOf = ({ query }: KeptOperation) =>
  query
    .replace(/^\s*#.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
