import { catalogue } from './catalogue.ts'
import { picking } from './picking.ts'

export const bundles = catalogue({
  contents: ['Contents', 'Inhalt', 'Contenido'],
  lead: [
    'An order of this bundle has a line for each content, which takes its own stock and is delivered on its own. The price of the bundle is split over the units in proportion to their own prices.',
    'Eine Bestellung dieses Bündels hat für jeden Inhalt eine Position mit eigenem Lager und eigener Lieferung. Der Preis des Bündels wird im Verhältnis der Einzelpreise auf die Stücke verteilt.',
    'Un pedido de este paquete tiene una línea por cada contenido, con sus existencias y su entrega. El precio del paquete se reparte entre las unidades en proporción a sus precios.',
  ],
  empty: [
    'This bundle contains nothing yet, so it is sold as it is. Add the first product that buyers get with it.',
    'Dieses Bündel enthält noch nichts und wird so verkauft, wie es ist. Fügen Sie das erste Produkt hinzu, das Käufer damit erhalten.',
    'Este paquete aún no contiene nada y se vende tal cual. Añada el primer producto que reciben los compradores.',
  ],
  product: picking.product,
  variant: ['Variant', 'Variante', 'Variante'],
  quantity: picking.quantity,
  quantityHelp: [
    'Units in one bundle, 1 to 100.',
    'Stück in einem Bündel, 1 bis 100.',
    'Unidades en un paquete, de 1 a 100.',
  ],
  add: ['Add content', 'Inhalt hinzufügen', 'Añadir contenido'],
  search: picking.search,
  pick: ['Product and variant', 'Produkt und Variante', 'Producto y variante'],
  pickHelp: [
    'Only products of the kind single that are not in the bundle yet.',
    'Nur einzelne Produkte, die noch nicht im Bündel sind.',
    'Solo productos individuales que aún no están en el paquete.',
  ],
  change: ['Change quantity', 'Menge ändern', 'Cambiar cantidad'],
  remove: ['Remove', 'Entfernen', 'Quitar'],
  removeNamed: ['Remove {name}', '{name} entfernen', 'Quitar {name}'],
  removeLead: [
    'New orders of the bundle no longer contain {name} ({n}). Past orders stay as they are.',
    'Neue Bestellungen des Bündels enthalten {name} ({n}) nicht mehr. Frühere Bestellungen bleiben.',
    'Los pedidos nuevos del paquete ya no contienen {name} ({n}). Los anteriores quedan igual.',
  ],
  removeLast: [
    'This is the only content. Without it, the bundle is sold as it is.',
    'Es ist der letzte Inhalt: Das Bündel wird danach so verkauft, wie es ist.',
    'Es el último contenido: después el paquete se vende tal cual.',
  ],
  full: [
    'A bundle has at most {n} contents. Remove one to add another.',
    'Ein Bündel hat höchstens {n} Inhalte. Entfernen Sie einen, um einen anderen hinzuzufügen.',
    'Un paquete tiene como máximo {n} contenidos. Quite uno para añadir otro.',
  ],
  sellLimit: [
    'This bundle has a maximum per customer ({n}), so its contents cannot be changed. Remove the maximum under Basics and limit the contents instead.',
    'Dieses Bündel hat eine Höchstmenge pro Kunde ({n}), daher lässt sich sein Inhalt nicht ändern. Entfernen Sie sie unter Grunddaten und begrenzen Sie stattdessen die Inhalte.',
    'Este paquete tiene un máximo por cliente ({n}), así que su contenido no se puede cambiar. Quítelo en Datos básicos y limite los contenidos.',
  ],
  toBasics: ['Go to Basics', 'Zu den Grunddaten', 'Ir a Datos básicos'],
})
