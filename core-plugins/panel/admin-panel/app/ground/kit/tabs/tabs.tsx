import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import classes from './tabs.module.css'

export interface TabItem {
  readonly id: string
  readonly label: ReactNode
  /** Mounted only while its tab is chosen. */
  readonly content: ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly items: readonly TabItem[]
  readonly selected?: string
  readonly onSelect?: (id: string) => void
}

/** Tabs. */
export function Tabs({ label, items, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs
      className={classes.tabs ?? ''}
      {...(selected === undefined ? {} : { selectedKey: selected })}
      {...(onSelect === undefined ? {} : { onSelectionChange: (key) => onSelect(String(key)) })}
    >
      <TabList aria-label={label} className={classes.list ?? ''}>
        {items.map(({ id, label: text }) => (
          <Tab key={id} id={id} className={classes.tab ?? ''}>
            {text}
          </Tab>
        ))}
      </TabList>
      {items.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={classes.panel ?? ''}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
