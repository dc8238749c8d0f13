import type { Language } from '../../kernel/language.ts'

/** A text in English, German and Spanish. */
type Texts = readonly [string, string, string]

const POSITIONS: Record<Language, 0 | 1 | 2> = { en: 0, de: 1, es: 2 }

export const textIn = (language: Language, texts: Texts): string => texts[POSITIONS[language]]

/** Replaces the names in braces. */
export const fillIn = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** The status of an order in the words of its buyer. */
export const STATUS_TEXTS: Readonly<Record<string, Texts>> = {
  pending: ['Waiting for your payment', 'Wartet auf Ihre Zahlung', 'Pendiente de tu pago'],
  partially_paid: ['Partly paid', 'Teilweise bezahlt', 'Pagado en parte'],
  manual_review: [
    'Your payment is being checked',
    'Ihre Zahlung wird geprüft',
    'Estamos revisando tu pago',
  ],
  paid: ['Paid', 'Bezahlt', 'Pagado'],
  completed: ['Completed', 'Abgeschlossen', 'Completado'],
  expired: ['Expired without payment', 'Ohne Zahlung abgelaufen', 'Caducado sin pago'],
  cancelled: ['Cancelled', 'Storniert', 'Cancelado'],
  refunded: ['Refunded', 'Erstattet', 'Reembolsado'],
  on_hold: ['On hold', 'Angehalten', 'En espera'],
}

/** The status of a parcel in the words of its buyer. */
export const PARCEL_TEXTS: Readonly<Record<string, Texts>> = {
  open: ['Being packed', 'Wird verpackt', 'En preparación'],
  shipped: ['On its way', 'Unterwegs', 'En camino'],
  delivered: ['Delivered', 'Zugestellt', 'Entregado'],
  failed: ['Could not be delivered', 'Nicht zustellbar', 'No se pudo entregar'],
}

export const TEXTS = {
  order: ['Order {number}', 'Bestellung {number}', 'Pedido {number}'],
  date: ['Ordered on {day}', 'Bestellt am {day}', 'Fecha del pedido: {day}'],
  test: [
    'This is a test. No goods are sold and no money moves.',
    'Dies ist ein Test. Es wird nichts verkauft und kein Geld bewegt.',
    'Esto es una prueba. No se vende nada ni se mueve dinero.',
  ],
  hold: [
    'The seller is looking at this order. Its goods can be seen again after that.',
    'Der Verkäufer prüft diese Bestellung. Die Waren sind danach wieder zu sehen.',
    'El vendedor está revisando este pedido. Después volverás a ver los productos.',
  ],
  waiting: [
    'Your goods appear here as soon as they are delivered. You can keep this address: it does not expire.',
    'Ihre Waren erscheinen hier, sobald sie geliefert sind. Sie können diese Adresse aufbewahren: Sie läuft nicht ab.',
    'Tus productos aparecerán aquí en cuanto se entreguen. Puedes guardar esta dirección: no caduca.',
  ],
  keep: [
    'Keep this address private: whoever has it sees these goods. It does not expire.',
    'Geben Sie diese Adresse nicht weiter: Wer sie hat, sieht diese Waren. Sie läuft nicht ab.',
    'No compartas esta dirección: quien la tenga verá estos productos. No caduca.',
  ],
  goods: ['Your goods', 'Ihre Waren', 'Tus productos'],
  moreKeys: [
    'and {count} more, which the seller has for you',
    'und {count} weitere, die der Verkäufer für Sie hat',
    'y {count} más, que el vendedor tiene para ti',
  ],
  copy: ['Copy', 'Kopieren', 'Copiar'],
  copied: ['Copied', 'Kopiert', 'Copiado'],
  download: [
    'Download {name} ({size})',
    '{name} herunterladen ({size})',
    'Descargar {name} ({size})',
  ],
  pay: ['Pay {amount}', '{amount} zahlen', 'Pagar {amount}'],
  save: ['Save a payment method', 'Zahlungsmittel speichern', 'Guardar un método de pago'],
  saveHelp: [
    'Your subscription has begun, and nothing is charged now. It renews on {day} for {amount}: save a payment method that pays it then.',
    'Ihr Abo hat begonnen, und jetzt wird nichts abgebucht. Es verlängert sich am {day} für {amount}: Speichern Sie ein Zahlungsmittel, mit dem das dann bezahlt wird.',
    'Tu suscripción ha empezado y ahora no se cobra nada. Se renueva el {day} por {amount}: guarda un método de pago con el que se pague entonces.',
  ],
  saved: [
    'Your payment method is saved. It pays the renewals of your subscription.',
    'Ihr Zahlungsmittel ist gespeichert. Damit werden die Verlängerungen Ihres Abos bezahlt.',
    'Tu método de pago está guardado. Con él se pagan las renovaciones de tu suscripción.',
  ],
  processing: [
    'Your payment is being processed. This page changes when it has arrived.',
    'Ihre Zahlung wird verarbeitet. Diese Seite ändert sich, wenn sie eingetroffen ist.',
    'Tu pago se está procesando. Esta página cambiará cuando llegue.',
  ],
  expires: [
    'The goods are reserved for you until {time}.',
    'Die Waren sind für Sie bis {time} reserviert.',
    'Los productos están reservados para ti hasta {time}.',
  ],
  parcels: ['Parcels', 'Pakete', 'Paquetes'],
  track: ['Follow the parcel', 'Paket verfolgen', 'Seguir el paquete'],
  trackingNumber: [
    'Tracking number {number}',
    'Sendungsnummer {number}',
    'Número de seguimiento {number}',
  ],
  receipt: ['Receipt', 'Beleg', 'Recibo'],
  item: ['Item', 'Artikel', 'Artículo'],
  price: ['Price', 'Preis', 'Precio'],
  discount: ['Discount', 'Rabatt', 'Descuento'],
  discountOf: ['Discount ({code})', 'Rabatt ({code})', 'Descuento ({code})'],
  shipping: ['Shipping', 'Versand', 'Envío'],
  total: ['Total', 'Summe', 'Total'],
  paid: ['Paid', 'Bezahlt', 'Pagado'],
  refunded: ['Refunded', 'Erstattet', 'Reembolsado'],
  owed: ['Still to pay', 'Noch zu zahlen', 'Pendiente de pago'],
  address: ['Shipped to', 'Lieferadresse', 'Dirección de envío'],
  questions: [
    'Questions about this order? Write to {email}.',
    'Fragen zu dieser Bestellung? Schreiben Sie an {email}.',
    '¿Preguntas sobre este pedido? Escribe a {email}.',
  ],
  notFound: [
    'This order was not found',
    'Diese Bestellung wurde nicht gefunden',
    'No se encontró este pedido',
  ],
  notFoundHelp: [
    'The address is wrong or not complete, or the seller has replaced it. Open the link of the latest mail again, or ask the seller.',
    'Die Adresse ist falsch oder nicht vollständig, oder der Verkäufer hat sie ersetzt. Öffnen Sie den Link der letzten E-Mail noch einmal, oder fragen Sie den Verkäufer.',
    'La dirección es incorrecta o está incompleta, o el vendedor la ha sustituido. Abre otra vez el enlace del último correo o pregunta al vendedor.',
  ],
} as const satisfies Record<string, Texts>
