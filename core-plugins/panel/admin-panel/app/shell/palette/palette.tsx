import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Header } from 'react-aria-components/Header'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { useLocation } from 'wouter'
import { useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import classes from './palette.module.css'
import { matching, type PaletteItem, type PaletteSection } from './palette-item.ts'
import { readRecent } from './recent.ts'
import { useCommands, useScreenItems } from './use-commands.ts'
import { useEntrySearch } from './use-entry-search.ts'

/**
 * The command palette: finds entries, screens and commands by typing; the arrow keys move the selection while the focus stays in
 * the input.
 */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [, navigate] = useLocation()
  const sections = useSections(text)
  const byId = new Map(sections.flatMap(({ items }) => items.map((item) => [item.id, item])))

  function choose({ to, run }: PaletteItem) {
    onClose()
    if (to !== undefined) navigate(to)
    run?.()
  }

  return (
    <ModalOverlay
      isOpen
      isDismissable
      className={classes.overlay ?? ''}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={classes.box ?? ''}>
        <Dialog aria-label={t('palette.title')} className={classes.dialog ?? ''}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label={t('palette.title')} autoFocus className={classes.search ?? ''}>
              <Icon name="search" />
              <Input className={classes.input ?? ''} placeholder={t('palette.placeholder')} />
            </SearchField>
            <Menu
              aria-label={t('palette.title')}
              className={classes.list ?? ''}
              items={sections}
              renderEmptyState={() => <p className={classes.none}>{t('kit.noMatch')}</p>}
              onAction={(id) => {
                const item = byId.get(String(id))
                if (item !== undefined) choose(item)
              }}
            >
              {({ id, title, items }: PaletteSection) => (
                <MenuSection id={id} items={items} className={classes.section ?? ''}>
                  <Header className={classes.heading ?? ''}>{title}</Header>
                  {items.map((item) => (
                    <Item key={item.id} item={item} />
                  ))}
                </MenuSection>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Item({ item: { id, label, icon, note } }: { readonly item: PaletteItem }) {
  return (
    <MenuItem id={id} textValue={label} className={classes.item ?? ''}>
      <Icon name={icon} />
      <span className={classes.label}>{label}</span>
      {note !== undefined && <span className={classes.note}>{note}</span>}
    </MenuItem>
  )
}

/** The palette's sections; without a text, recent screens first. */
function useSections(text: string): readonly PaletteSection[] {
  const { user } = useAccess()
  const recent = readRecent(user.id).map(({ path, title }) => ({
    id: `recent ${path}`,
    label: title,
    icon: 'history',
    to: path,
  }))
  const sections = [
    { id: 'recent', title: t('palette.recent'), items: matching(recent, text) },
    { id: 'entries', title: t('palette.entries'), items: useEntrySearch(text) },
    { id: 'screens', title: t('palette.screens'), items: matching(useScreenItems(), text) },
    { id: 'commands', title: t('palette.commands'), items: matching(useCommands(), text) },
  ]
  return sections.filter(({ items }) => items.length > 0)
}
