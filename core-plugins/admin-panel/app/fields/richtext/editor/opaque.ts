import { Node, type NodeViewRenderer } from '@tiptap/core'
import { t } from '../../../i18n/translate.ts'
import classes from './opaque.module.css'

/** HTML that the editor keeps without knowing it. */
export interface OpaqueOptions {
  /** Somebody wants to edit the HTML of the node at a position. */
  readonly onEditOpaque: (position: number, html: string) => void
}

/** Names the nodes in what is copied. See paste/clean-pasted.ts. */
export const opaqueAttribute = 'data-mortise-opaque'

const attributes = () => ({
  html: {
    default: '',
    parseHTML: (element: HTMLElement) => element.getAttribute(opaqueAttribute) ?? '',
    renderHTML: ({ html }: Record<string, unknown>) => ({ [opaqueAttribute]: html }),
  },
})

const noOptions = (): OpaqueOptions => ({ onEditOpaque: () => {} })

/** Blocks that nobody knows: `<figure>`, `<table>`, `<iframe>`. */
export const OpaqueBlock = Node.create<OpaqueOptions>({
  name: 'opaqueBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addOptions: noOptions,
  addAttributes: attributes,
  parseHTML: () => [{ tag: `div[${opaqueAttribute}]`, priority: 100 }],
  renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes],
  addNodeView() {
    return viewOf('div', classes.block, this.options)
  },
})

/** The same within a line of text: `<span class>`, `<abbr>`, a comment. */
export const OpaqueInline = Node.create<OpaqueOptions>({
  name: 'opaqueInline',
  group: 'inline',
  inline: true,
  atom: true,
  addOptions: noOptions,
  addAttributes: attributes,
  parseHTML: () => [{ tag: `span[${opaqueAttribute}]`, priority: 100 }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes],
  addNodeView() {
    return viewOf('span', classes.inline, this.options)
  },
})

/** Shows the first tag and the text, never the elements: they are somebody's, and might do anything. */
function viewOf(
  tag: 'div' | 'span',
  className: string | undefined,
  { onEditOpaque }: OpaqueOptions,
): NodeViewRenderer {
  return ({ node, getPos, editor }) => {
    const html = String(node.attrs.html)
    const dom = element(tag, className, [
      element('code', classes.tag, [firstTagOf(html)]),
      element('span', classes.text, [textOf(html)]),
    ])
    if (editor.isEditable) {
      const button = element('button', classes.edit, [t('richtext.editHtml')])
      button.setAttribute('type', 'button')
      button.addEventListener('click', () => {
        const position = getPos()
        if (position !== undefined) onEditOpaque(position, html)
      })
      dom.append(button)
    }
    return { dom, stopEvent: (event) => event.target instanceof HTMLButtonElement }
  }
}

function element(
  tag: string,
  className: string | undefined,
  content: readonly (string | globalThis.Node)[],
): HTMLElement {
  const made = document.createElement(tag)
  made.className = className ?? ''
  made.append(...content)
  return made
}

const firstTagOf = (html: string) => /^<!--|^<[^>]*>?/.exec(html)?.[0].slice(0, 60) ?? ''

/** What readers would see of it, roughly. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
