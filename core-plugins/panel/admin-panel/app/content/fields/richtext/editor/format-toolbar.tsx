import type { Editor } from '@tiptap/core'
import { useCallback, useSyncExternalStore } from 'react'
import { useAccess } from '../../../../ground/access/access.ts'
import { type TextKey, t } from '../../../../ground/i18n/translate.ts'
import { keyLabels } from '../../../../ground/keyboard/combination.ts'
import { Button, IconButton } from '../../../../ground/kit/button/button.tsx'
import { Menu } from '../../../../ground/kit/menu/menu.tsx'
import { ToggleButton } from '../../../../ground/kit/toggle-button/toggle-button.tsx'
import { Toolbar } from '../../../../ground/kit/toolbar/toolbar.tsx'
import classes from './visual-editor.module.css'

interface Format {
  /** The mark or node that it turns on. */
  readonly name: string
  readonly label: TextKey
  readonly icon: string
  readonly keys: string
  readonly toggle: (editor: Editor) => unknown
}

const marks: readonly Format[] = [
  {
    name: 'bold',
    label: 'richtext.bold',
    icon: 'bold',
    keys: 'Mod+b',
    toggle: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    label: 'richtext.italic',
    icon: 'italic',
    keys: 'Mod+i',
    toggle: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: 'strike',
    label: 'richtext.strike',
    icon: 'strikethrough',
    keys: 'Mod+Shift+s',
    toggle: (editor) => editor.chain().focus().toggleStrike().run(),
  },
  {
    name: 'code',
    label: 'richtext.code',
    icon: 'code',
    keys: 'Mod+e',
    toggle: (editor) => editor.chain().focus().toggleCode().run(),
  },
]

const blocks: readonly Format[] = [
  {
    name: 'bulletList',
    label: 'richtext.bulletList',
    icon: 'list',
    keys: 'Mod+Shift+8',
    toggle: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'orderedList',
    label: 'richtext.orderedList',
    icon: 'list-ordered',
    keys: 'Mod+Shift+7',
    toggle: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'blockquote',
    label: 'richtext.quote',
    icon: 'quote',
    keys: 'Mod+Shift+b',
    toggle: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: 'codeBlock',
    label: 'richtext.codeBlock',
    icon: 'square-code',
    keys: 'Mod+Alt+c',
    toggle: (editor) => editor.chain().focus().toggleCodeBlock().run(),
  },
]

const levels = [1, 2, 3, 4, 5, 6] as const

export interface FormatToolbarProps {
  readonly editor: Editor
  readonly onLink: () => void
  /** Opens the file picker, or the description of the selected picture. */
  readonly onPicture: () => void
  readonly onSource: () => void
}

/** The formatting toolbar: one tab stop, arrow keys within; Alt-F10 moves here from the text. */
export function FormatToolbar({ editor, onLink, onPicture, onSource }: FormatToolbarProps) {
  const active = useActive(editor)
  const hasLibrary = useAccess().mayMedia('read')
  const toggles = (formats: readonly Format[]) =>
    formats.map(({ name, label, icon, keys, toggle }) => (
      <ToggleButton
        key={name}
        icon={icon}
        label={t(label)}
        keys={keyLabels(keys).join(' ')}
        isSelected={active.has(name)}
        onChange={() => toggle(editor)}
      />
    ))
  return (
    <div className={classes.toolbar}>
      <Toolbar label={t('richtext.toolbar')}>
        <HeadingMenu editor={editor} active={active} />
        {toggles(marks)}
        <ToggleButton
          icon="link"
          label={t('richtext.link')}
          keys={keyLabels('Mod+Shift+k').join(' ')}
          isSelected={active.has('link')}
          onChange={onLink}
        />
        {(hasLibrary || active.has('image')) && (
          <ToggleButton
            icon="image"
            label={t('richtext.picture')}
            isSelected={active.has('image')}
            onChange={onPicture}
          />
        )}
        {toggles(blocks)}
        <IconButton
          icon="minus"
          label={t('richtext.rule')}
          size="s"
          onPress={() => editor.chain().focus().setHorizontalRule().run()}
        />
        <IconButton icon="code-xml" label={t('richtext.toSource')} size="s" onPress={onSource} />
      </Toolbar>
    </div>
  )
}

function HeadingMenu({ editor, active }: { readonly editor: Editor; readonly active: ReadonlySet<string> }) {
  const level = levels.find((each) => active.has(`heading${each}`))
  const nameOf = (each: number | undefined) =>
    each === undefined ? t('richtext.paragraph') : t('richtext.heading', { level: each })
  return (
    <Menu
      label={t('richtext.style')}
      actions={[
        {
          id: 'paragraph',
          label: nameOf(undefined),
          onAction: () => void editor.chain().focus().setParagraph().run(),
        },
        ...levels.map((each) => ({
          id: `heading${each}`,
          label: nameOf(each),
          onAction: () => void editor.chain().focus().setHeading({ level: each }).run(),
        })),
      ]}
    >
      <Button look="plain" size="s">
        {nameOf(level)}
      </Button>
    </Menu>
  )
}

/** The marks and blocks at the cursor; renders again only when they change. */
function useActive(editor: Editor): ReadonlySet<string> {
  const subscribe = useCallback(
    (listener: () => void) => {
      editor.on('transaction', listener)
      return () => void editor.off('transaction', listener)
    },
    [editor],
  )
  const names = useSyncExternalStore(subscribe, () => activeIn(editor).join(' '))
  return new Set(names.split(' '))
}

function activeIn(editor: Editor): readonly string[] {
  const names = [...marks, ...blocks].map(({ name }) => name).concat('link', 'image')
  const level = levels.find((each) => editor.isActive('heading', { level: each }))
  return [
    ...names.filter((name) => editor.isActive(name)),
    ...(level === undefined ? [] : [`heading${level}`]),
  ]
}
