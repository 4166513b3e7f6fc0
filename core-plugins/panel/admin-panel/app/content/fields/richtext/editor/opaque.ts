import { Node, type NodeViewRenderer } from '@tiptap/core'
import { t } from '../../../../ground/i18n/translate.ts'
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
    return viewOf('div', this.options)
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
    return viewOf('span', this.options)
  },
})

const longestInEditor = 120

/** Shows what is kept in the editor, where its HTML can be edited. */
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

/** Shows the same to those who only read it, with its whole text. */
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

/** The elements themselves are never shown: they are somebody's, and might do anything. */
const firstTag = (html: string) => element('code', classes.tag, [firstTagOf(html)])

const firstTagOf = (html: string) => /^<!--|^<[^>]*>?/.exec(html)?.[0].slice(0, 60) ?? ''

/** What readers would see of it, roughly. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
