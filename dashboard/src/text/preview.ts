import { catalogue } from './catalogue.ts'

export const preview = catalogue({
  title: ['As buyers see it', 'So sehen es Käufer', 'Como lo ven los compradores'],
  lead: ['As it is published.', 'So ist es veröffentlicht.', 'Tal como está publicado.'],
  withDraft: [
    'With your changes that are not published yet.',
    'Mit Ihren Änderungen, die noch nicht veröffentlicht sind.',
    'Con sus cambios aún sin publicar.',
  ],
  choices: ['Choices', 'Auswahl', 'Opciones'],
  cannot: [
    'It cannot be bought now:',
    'Es ist gerade nicht käuflich:',
    'Ahora no se puede comprar:',
  ],
  draft: ['it is a draft.', 'es ist ein Entwurf.', 'es un borrador.'],
  archived: ['it is archived.', 'es ist archiviert.', 'está archivado.'],
  off: ['it is not on sale.', 'es ist nicht im Verkauf.', 'no está a la venta.'],
  onHold: ['it is on hold.', 'es ist zurückgestellt.', 'está en espera.'],
  soldOut: [
    'all variants are sold out.',
    'alle Varianten sind ausverkauft.',
    'todas las variantes están agotadas.',
  ],
  noVariant: [
    'no variant is on sale.',
    'keine Variante ist im Verkauf.',
    'ninguna variante está a la venta.',
  ],
  isSoldOut: ['Sold out', 'Ausverkauft', 'Agotado'],
  left: ['{n} left', 'noch {n}', 'quedan {n}'],
  before: ['before {price}', 'vorher {price}', 'antes {price}'],
  noText: [
    'There is no description yet.',
    'Es gibt noch keine Beschreibung.',
    'Aún no hay descripción.',
  ],
})
