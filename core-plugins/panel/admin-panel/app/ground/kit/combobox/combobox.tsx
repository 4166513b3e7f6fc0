import { type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox, ComboBoxStateContext, Input, Label } from 'react-aria-components/ComboBox'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../icon/icon.tsx'
import classes from './combobox.module.css'

export interface ComboboxItem {
  readonly id: string
  readonly label: string
}

export interface ComboboxProps {
  readonly label: string
  /** The items that match `text`: the caller loads them, so that the service does the searching. */
  readonly items: readonly ComboboxItem[]
  readonly text: string
  /** Called with '' when an item was chosen or the focus has left. */
  readonly onText: (text: string) => void
  readonly onChoose: (id: string) => void
  readonly isDisabled?: boolean
  /** The text shown if there are no items; by default that nothing matches. */
  readonly emptyText?: string | undefined
}

/** A choice from many items by typing. Load it lazily: its code is larger than a `Select`'s. */
export function Combobox({
  label,
  items,
  text,
  onText,
  onChoose,
  isDisabled = false,
  emptyText = t('kit.noMatch'),
}: ComboboxProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <ComboBox
      className={classes.combobox ?? ''}
      items={items}
      inputValue={text}
      onInputChange={onText}
      allowsEmptyCollection
      menuTrigger="focus"
      isDisabled={isDisabled}
    >
      <Label className={classes.label ?? ''}>{label}</Label>
      <div className={classes.box}>
        <Input ref={input} className={classes.input ?? ''} />
        <Button className={classes.opener ?? ''} aria-label={t('kit.choose')}>
          <Icon name="chevron-down" />
        </Button>
      </div>
      <Options input={input}>
        <ListBox
          className={classes.list ?? ''}
          renderEmptyState={() => <p className={classes.none}>{emptyText}</p>}
        >
          {({ id, label: shown }: ComboboxItem) => (
            <ListBoxItem
              id={id}
              textValue={shown}
              className={classes.item ?? ''}
              onAction={() => onChoose(id)}
            >
              <bdi>{shown}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Options>
    </ComboBox>
  )
}

interface OptionsProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly children: ReactNode
}

/**
 * The list of matches below the input. React Aria would close it and discard the text whenever the page scrolls, which browsers
 * do when they bring an input into view.
 */
function Options({ input, children }: OptionsProps) {
  const state = useContext(ComboBoxStateContext)
  const scroll = useRef<Event>(null)
  const [scrolls, setScrolls] = useState(0)
  useEffect(() => {
    function onScroll(event: Event) {
      scroll.current = event
      // If the page itself scrolls, the list moves with it.
      if (event.target instanceof Element && event.target.contains(input.current)) {
        setScrolls((before) => before + 1)
      }
    }
    window.addEventListener('scroll', onScroll, true)
    return () => window.removeEventListener('scroll', onScroll, true)
  }, [input])
  const isScrolling = () => (scroll.current?.eventPhase ?? Event.NONE) !== Event.NONE
  return (
    <Popover
      className={classes.popover ?? ''}
      isOpen={state?.isOpen ?? false}
      onOpenChange={(isOpen) => !isOpen && !isScrolling() && state?.close()}
      // React Aria updates the position only when a property changes.
      crossOffset={(scrolls % 2) / 100}
    >
      {children}
    </Popover>
  )
}
