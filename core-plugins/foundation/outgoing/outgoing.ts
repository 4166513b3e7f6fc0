/*
 * Requests to addresses that administrators choose: of webhooks, purges, imports and mail servers. None of them becomes a way into
 * the network that the service runs in.
 */

export { type AddressGuard, createAddressGuard, openGuard, RefusedAddressError } from './address-guard.ts'
export { type Attempt, createSender, type Message, type Sender, type SendOptions } from './sender.ts'
export { signatureOf } from './signature.ts'
