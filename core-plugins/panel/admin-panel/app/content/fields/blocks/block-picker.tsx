import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Input, Label, SearchField } from 'react-aria-components/SearchField'
import type { DescribedComponent } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Dialog } from '../../../ground/kit/dialog/dialog.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import classes from './block-picker.module.css'

export interface BlockPickerProps {
  readonly components: readonly DescribedComponent[]
  readonly onChoose: (uid: string) => void
  readonly onClose: () => void
}

/** Chooses a component by name or description; arrows and Enter work while typing. */
export default function BlockPicker({ components, onChoose, onClose }: BlockPickerProps) {
  const [search, setSearch] = useState('')
  const found = components.filter((component) => matches(component, search))
  return (
    <Dialog title={t('blocks.add')} size="m" isOpen onClose={onClose}>
      <Autocomplete inputValue={search} onInputChange={setSearch}>
        <SearchField autoFocus className={classes.search ?? ''}>
          <Label className={classes.label ?? ''}>{t('blocks.search')}</Label>
          <Input className={classes.input ?? ''} />
        </SearchField>
        <ListBox
          className={classes.list ?? ''}
          aria-label={t('blocks.kinds')}
          items={found}
          onAction={(uid) => onChoose(String(uid))}
          renderEmptyState={() => <p className={classes.none}>{t('kit.noMatch')}</p>}
        >
          {({ uid, info }) => (
            <ListBoxItem id={uid} textValue={info.displayName} className={classes.item ?? ''}>
              <Icon name={info.icon === '' ? 'component' : info.icon} />
              <span className={classes.words}>
                <span className={classes.name}>{info.displayName}</span>
                {info.description !== '' && <span className={classes.description}>{info.description}</span>}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Autocomplete>
    </Dialog>
  )
}

function matches({ uid, info, category }: DescribedComponent, search: string): boolean {
  const text = [uid, category, info.displayName, info.description].join(' ').toLocaleLowerCase()
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
