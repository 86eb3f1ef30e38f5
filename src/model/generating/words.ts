/** Words for texts that people read. None of them names a real person or firm. */
const listOf = (text: string): readonly string[] => text.split(' ');

export const firstNames = listOf(
  'Ada Amir Anna Ben Chloe Daniel Elena Emil Fatima Finn Grace Hugo Ines Ivan Jana Kofi Lea Leo Lina Luca Maya Milan Mira Nils Nora Omar Paula Priya Rosa Samir Sofia Theo Uma Victor Wanda Yuki Zoe',
);
export const lastNames = listOf(
  'Adler Bauer Berg Castro Cole Diaz Ek Fischer Garcia Haas Ito Jansen Kaya Keller Kim Kowalski Larsen Lopez Meyer Moreau Nguyen Novak Okafor Olsen Park Patel Rossi Sato Schmidt Silva Smith Stone Tanaka Vogel Weber Wilson Young Ziegler',
);
export const cities = listOf(
  'Athens Austin Berlin Bergen Bogota Boston Cairo Cork Dakar Delhi Geneva Ghent Hanoi Kyoto Lagos Leeds Lima Lisbon Lyon Madrid Milan Nairobi Oslo Porto Prague Quito Riga Rome Seoul Split Sydney Tallinn Turin Utrecht Vienna Zurich',
);
export const countries = listOf(
  'Austria Belgium Brazil Canada Chile Denmark Egypt Estonia Finland France Germany Ghana Greece India Ireland Italy Japan Kenya Latvia Mexico Morocco Norway Peru Poland Portugal Senegal Spain Sweden Turkey Vietnam',
);
export const countryCodes = listOf('AT BE BR CA CH CL DE DK ES FI FR GB GH GR IE IN IT JP KE MX NL NO PL PT SE US');
export const currencies = listOf('EUR USD GBP CHF JPY SEK NOK PLN BRL INR');
export const colors = listOf('red orange yellow green blue purple pink brown black white gray');
export const streets = listOf('Oak Park Main Hill Lake River Church Mill Garden Station Forest Market Bridge School');
export const states = listOf('new open active pending done closed cancelled');
export const companies = listOf(
  'Acorn Birch Cedar Delta Ember Falcon Granite Harbor Iris Juniper Lumen Meadow Nova Orbit',
);
export const companyEnds = listOf('Ltd Inc GmbH Group Labs Works');
export const products = listOf(
  'lamp chair table mug notebook backpack bottle keyboard clock jacket pen blanket basket',
);
export const adjectives = listOf('small large blue green light heavy soft round plain bright quiet wooden');
export const words = listOf(
  'time year way day thing world life hand part place week case point group number night water room area money story fact month book word side kind head house service friend power hour game line end member city name team minute idea body back level office door health art car',
);
