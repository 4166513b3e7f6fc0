import { Component, type ReactNode } from 'react'
import { errorText } from '../ground/i18n/problem-text.ts'
import { t } from '../ground/i18n/translate.ts'
import { Button } from '../ground/kit/button/button.tsx'
import { EmptyState } from '../ground/kit/empty-state/empty-state.tsx'

interface BoundaryState {
  readonly error?: unknown
}

/** An error boundary: an error in a part leaves the rest of the page intact. */
export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = {}

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <EmptyState
        icon="bug"
        title={t('shell.brokenTitle')}
        action={<Button onPress={() => this.setState({ error: undefined })}>{t('shell.tryAgain')}</Button>}
      >
        {errorText(error)}
      </EmptyState>
    )
  }
}
