import { createMailbox, isObject } from '../../../../kernel/index.ts'
import {
  AppError,
  clientOf,
  type Principal,
  type RouteRequest,
  type SocketChannel,
  type SocketListener,
} from '../../../foundation/http/http.ts'
import { LiveClient, type Topic } from '../../live/live.ts'
import { RefusedRequest } from '../errors.ts'
import { type Carrier, Operation } from './operation.ts'
import {
  alreadyExists,
  type ClientMessage,
  clientMessageIn,
  closings,
  messages,
  nextFrame,
  subprotocol,
} from './protocol.ts'
import { errorIn } from './refusals.ts'
import { asksForAnswer, type SubscriptionParts, subscriptionTo } from './subscriptions.ts'

/** The connection itself has no events. */
const nothing: Topic = {
  key: subprotocol,
  types: new Set(),
  isPersonal: false,
  admits: () => true,
  tell: () => [],
}

const anonymous: Principal = Object.freeze({ kind: 'anonymous' })

/** The limit of unprocessed messages of a client. */
const maxWaitingMessages = 200

/** The limit of concurrent queries and mutations of a client. */
const maxRequests = 50

type Closing = readonly [code: number, reason: string]

/**
 * A client with the protocol graphql-transport-ws. Its messages are processed one after the other, so that a pong confirms
 * that earlier messages have been processed.
 */
export class Connection extends LiveClient implements Carrier, SocketListener {
  readonly #parts: SubscriptionParts
  readonly #operations = new Map<string, Operation>()
  /** The queries and mutations in progress. */
  readonly #requests = new Map<string, AbortController>()
  readonly #ip: string
  readonly #mailbox = createMailbox()
  #channel: SocketChannel | undefined
  #waiting = 0
  readonly #authorization: string | undefined
  #isAcknowledged = false
  #initTimer: NodeJS.Timeout | undefined
  #isPinged = false

  /** The header `authorization` of the opening request applies unless the client sends another one later. */
  constructor(
    request: Pick<RouteRequest<unknown, unknown, unknown>, 'ip' | 'header'>,
    parts: SubscriptionParts,
  ) {
    super({ address: clientOf(request.ip), credential: undefined, topic: nothing })
    this.#ip = request.ip
    this.#authorization = request.header('authorization')
    this.#parts = parts
  }

  opened(channel: SocketChannel): void {
    this.#channel = channel
    this.#initTimer = setTimeout(() => this.#close(closings.initTimeout), this.#parts.initTimeoutMs())
    void this.#parts.live.join(this, { principal: anonymous, cursor: undefined })
  }

  message(text: string): void {
    if (this.credential === undefined && Buffer.byteLength(text) > this.#parts.maxAnonymousBytes) {
      this.#close(closings.tooLarge)
      return
    }
    const message = clientMessageIn(text)
    if (this.#waiting >= maxWaitingMessages) this.#close(closings.tooManyMessages)
    else if (message === undefined) this.#close(closings.badRequest)
    else this.#takeInTurn(message)
  }

  #takeInTurn(message: ClientMessage): void {
    if (message.type === 'connection_init') clearTimeout(this.#initTimer)
    this.#waiting += 1
    this.#mailbox
      .run(() => this.#channel && this.#take(message))
      .catch((error) => {
        this.#parts.logFailure(error)
        this.#close(closings.failed)
      })
      .finally(() => {
        this.#waiting -= 1
      })
  }

  ponged(): void {
    this.#isPinged = false
  }

  drained(): void {
    for (const operation of this.#operations.values()) this.#parts.live.drained(operation)
  }

  closed(): void {
    this.#channel = undefined
    clearTimeout(this.#initTimer)
    for (const id of [...this.#operations.keys(), ...this.#requests.keys()]) this.forget(id)
    this.#parts.live.leave(this)
  }

  get takesMore(): boolean {
    return this.#channel?.isOpen === true && !this.#channel.isFull
  }

  welcome(): void {}

  restart(): void {}

  beat(): void {
    // A client that does not read cannot respond to a ping either, so it gets more time.
    if (!this.takesMore) return
    const isSilent = this.#isPinged
    this.#isPinged = true
    if (isSilent) this.#channel?.cut()
    else this.#channel?.ping()
  }

  sendAway(): void {
    this.#close(closings.goingAway)
  }

  override end(): void {
    this.#close(closings.expired)
  }

  refuse(): void {}

  cut(): void {
    this.#close(closings.tryLater)
  }

  say(message: string | Uint8Array): void {
    this.#channel?.send(message)
  }

  forget(id: string): void {
    this.#requests.get(id)?.abort()
    this.#requests.delete(id)
    const operation = this.#operations.get(id)
    if (operation === undefined) return
    this.#operations.delete(id)
    operation.close()
    this.#parts.live.leave(operation)
  }

  protected write(): void {}

  async #take(message: ClientMessage): Promise<void> {
    switch (message.type) {
      case 'connection_init':
        return this.#initialise(message.payload)
      case 'ping':
        return this.say(messages.pong)
      case 'pong':
        return
      case 'subscribe':
        return this.#subscribe(message)
      case 'complete':
        return this.forget(message.id)
    }
  }

  async #initialise(payload: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#isAcknowledged) return this.#close(closings.tooManyInits)
    const credential = credentialIn(payload) ?? this.#authorization
    const principal = await this.#principalOf(credential)
    if (this.#channel === undefined) return
    if (principal === undefined || !this.#mayAny(principal)) return this.#close(closings.forbidden)
    const { live } = this.#parts
    live.leave(this)
    this.credential = credential
    void live.join(this, { principal, cursor: undefined })
    this.#isAcknowledged = true
    this.say(messages.ack)
  }

  async #subscribe({ id, payload }: Extract<ClientMessage, { type: 'subscribe' }>): Promise<void> {
    if (!this.#isAcknowledged) return this.#close(closings.unauthorized)
    if (this.#operations.has(id) || this.#requests.has(id)) return this.#close(alreadyExists(id))
    const { credential } = this
    const principal = await this.#principalOf(credential)
    if (principal === undefined) return this.#close(closings.expired)
    try {
      if (await asksForAnswer(payload, this.#parts)) return this.#ask(id, payload)
      this.#assertRoom()
      const { topic, cursor } = await subscriptionTo(payload, principal, this.#parts)
      if (this.#channel === undefined) return
      const operation = new Operation(id, this, { credential, topic })
      this.#operations.set(id, operation)
      await this.#parts.live.join(operation, { principal, cursor })
    } catch (error) {
      this.say(messages.error(id, errorsOf(error)))
    }
  }

  /** @throws AppError 429, 503 */
  #assertRoom(): void {
    const { live, maxOfConnection } = this.#parts
    const max = maxOfConnection()
    if (this.#operations.size >= max) {
      throw new AppError('RATE_LIMITED', `a connection has at most ${max} subscriptions`)
    }
    live.assertRoom(undefined)
  }

  /** Executes a query or a mutation concurrently with other messages of the client. @throws AppError 429 */
  #ask(id: string, payload: Readonly<Record<string, unknown>>): void {
    if (this.#channel === undefined) return
    if (this.#requests.size >= maxRequests) {
      throw new AppError(
        'RATE_LIMITED',
        `a connection has at most ${maxRequests} queries and mutations at once`,
      )
    }
    const controller = new AbortController()
    this.#requests.set(id, controller)
    const { signal } = controller
    const asked = { payload, authorization: this.credential, ip: this.#ip, signal }
    this.#parts.ask(asked).then(
      (answer) => {
        if (!this.#isAsking(id, controller)) return
        if ('errors' in answer) return this.say(messages.error(id, answer.errors))
        this.say(nextFrame(id)(answer.body))
        this.say(messages.complete(id))
      },
      (error) => {
        this.#parts.logFailure(error)
        if (this.#isAsking(id, controller)) this.#close(closings.failed)
      },
    )
  }

  /** Whether the client still waits; afterwards the request counts as finished. */
  #isAsking(id: string, controller: AbortController): boolean {
    return this.#requests.get(id) === controller && this.#requests.delete(id)
  }

  /** Undefined for an invalid credential. */
  async #principalOf(credential: string | undefined): Promise<Principal | undefined> {
    const { auth } = this.#parts
    if (credential === undefined) await auth.freshen()
    return credential === undefined ? anonymous : auth.principalOf(credential)
  }

  #mayAny(principal: Principal): boolean {
    const { auth, typeNames } = this.#parts
    return typeNames.some((name) => auth.mayContent(principal, name, 'read'))
  }

  #close([code, reason]: Closing): void {
    this.#channel?.close(code, reason)
  }
}

/** The credential in `connectionParams`, since browsers cannot send headers with a WebSocket. */
function credentialIn(payload: Readonly<Record<string, unknown>>): string | undefined {
  const headers = isObject(payload.headers) ? payload.headers : {}
  const given = [payload, headers].flatMap(({ authorization, Authorization }) => [
    authorization,
    Authorization,
  ])
  const found = given.find((value) => value !== undefined && value !== null && value !== '')
  return found === undefined ? undefined : String(found)
}

/** @throws error if it is not the client's fault */
function errorsOf(error: unknown): readonly object[] {
  if (error instanceof RefusedRequest) return error.errors
  if (error instanceof AppError) return [errorIn(error)]
  throw error
}
