import { Node, type NodeViewRenderer } from '@tiptap/core'
import { t } from '../../../../ground/i18n/translate.ts'
import classes from './opaque.module.css'

/** Options for HTML that the editor preserves but cannot edit. */
export interface OpaqueOptions {
  /** Called when the user wants to edit the HTML of the node at a position. */
  readonly onEditOpaque: (position: number, html: string) => void
}

/** The attribute that marks these nodes in copied HTML. See paste/clean-pasted.ts. */
export const opaqueAttribute = 'data-mortise-opaque'

const attributes = () => ({
  html: {
    default: '',
    parseHTML: (element: HTMLElement) => element.getAttribute(opaqueAttribute) ?? '',
    renderHTML: ({ html }: Record<string, unknown>) => ({ [opaqueAttribute]: html }),
  },
})

const noOptions = (): OpaqueOptions => ({ onEditOpaque: () => {} })

/** Blocks that the editor does not support: `<figure>`, `<table>`, `<iframe>`. */
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
    return viewOf('div', this.options)
  },
})

/** Unsupported inline content: `<span class>`, `<abbr>`, a comment. */
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
    return viewOf('span', this.options)
  },
})

const longestInEditor = 120

/** The placeholder in the editor, with a button to edit its HTML. */
function viewOf(tag: OpaqueTag, { onEditOpaque }: OpaqueOptions): NodeViewRenderer {
  return ({ node, getPos }) => {
    const html = String(node.attrs.html)
    const text = element('span', classes.text, [textOf(html).slice(0, longestInEditor)])
    const button = element('button', classes.edit, [t('richtext.editHtml')])
    button.setAttribute('type', 'button')
    button.addEventListener('click', () => {
      const position = getPos()
      if (position !== undefined) onEditOpaque(position, html)
    })
    const dom = element(tag, classNames[tag], [firstTag(html), text, button])
    return { dom, stopEvent: (event) => event.target instanceof HTMLButtonElement }
  }
}

type OpaqueTag = 'div' | 'span'
const classNames = { div: classes.block, span: classes.inline }

/** The placeholder for read-only views, with its whole text. */
export const opaqueToRead = (tag: OpaqueTag, html: string): HTMLElement =>
  element(tag, `${classNames[tag]} ${classes.toRead}`, [
    firstTag(html),
    element('span', undefined, [textOf(html)]),
  ])

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

/** Shows the first tag as text. The HTML itself is never rendered: it is untrusted and might run scripts. */
const firstTag = (html: string) => element('code', classes.tag, [firstTagOf(html)])

const firstTagOf = (html: string) => /^<!--|^<[^>]*>?/.exec(html)?.[0].slice(0, 60) ?? ''

/** Its approximate visible text. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
