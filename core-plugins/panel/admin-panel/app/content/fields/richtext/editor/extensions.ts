import { Extension, type Extensions, getSchema, type Mark } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import type { EditorSteps } from '../../use-editor-steps.ts'
import { readSource, sourceAttribute } from '../html/source-attribute.ts'
import { Image } from './image.ts'
import { OpaqueBlock, OpaqueInline, type OpaqueOptions } from './opaque.ts'

const nodes = ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'listItem', 'codeBlock']
const leaves = ['horizontalRule', 'hardBreak', 'image']
const marks = ['bold', 'italic', 'strike', 'underline', 'code', 'link']

/** Stores the original tag and attributes that a node or mark was parsed from. See html/source-attribute.ts. */
const SourceAttributes = Extension.create({
  name: 'sourceAttributes',
  addGlobalAttributes: () => [
    {
      types: [...nodes, ...leaves, ...marks],
      attributes: {
        source: {
          default: null,
          keepOnSplit: false,
          parseHTML: (element) => readSource(element.getAttribute(sourceAttribute)),
          renderHTML: ({ source }) => (source === null ? {} : { [sourceAttribute]: JSON.stringify(source) }),
        },
      },
    },
    {
      // Whether a paragraph was parsed without `<p>`; a new item of such a list is written without it as well.
      types: ['paragraph'],
      attributes: { bare: { default: null, rendered: false, parseHTML: () => null } },
    },
  ],
})

/** The standard nodes and marks; unlike by default, a link may also be code. */
const Usual = StarterKit.extend({
  addExtensions() {
    const extensions = this.parent?.() ?? []
    return extensions.map((each) => (each.name === 'code' ? (each as Mark).extend({ excludes: '' }) : each))
  },
}).configure({
  // It would add an empty paragraph that the author did not write.
  trailingNode: false,
  // The form has one undo history for all of its fields.
  undoRedo: false,
  link: {
    openOnClick: false,
    defaultProtocol: 'https',
    HTMLAttributes: { target: null, rel: null, class: null },
  },
})

interface KeyOptions {
  readonly onLink: () => void
  readonly steps: EditorSteps
}

const nothing = () => {}
const noKeys: KeyOptions = { onLink: nothing, steps: { undo: nothing, redo: nothing } }

/** Keyboard shortcuts besides those of the nodes and marks. */
const Keys = Extension.create<KeyOptions>({
  name: 'keys',
  addOptions: () => noKeys,
  addKeyboardShortcuts() {
    const { onLink, steps } = this.options
    const handled = (action: () => void) => () => {
      action()
      return true
    }
    return {
      'Mod-Shift-k': handled(onLink),
      'Mod-z': handled(steps.undo),
      'Mod-Shift-z': handled(steps.redo),
      'Mod-y': handled(steps.redo),
      // The toolbar handles the way back: see format-toolbar.tsx.
      'Alt-F10': ({ editor }) => {
        const toolbar =
          editor.view.dom.parentElement?.parentElement?.querySelector<HTMLElement>('[role=toolbar] button')
        toolbar?.focus()
        return true
      },
    }
  },
})

/** Callbacks from the editor to the page around it. */
export interface EditorOptions extends OpaqueOptions, KeyOptions {}

/** Nodes, marks, keyboard shortcuts and input rules. */
export const extensionsWith = ({ onEditOpaque, ...keys }: EditorOptions): Extensions => [
  Usual,
  Image,
  OpaqueBlock.configure({ onEditOpaque }),
  OpaqueInline.configure({ onEditOpaque }),
  SourceAttributes,
  Keys.configure(keys),
]

/** The schema for parsing texts before an editor exists; each editor creates an equal schema of its own. */
export const schema = getSchema(extensionsWith({ ...noKeys, onEditOpaque: nothing }))
