class Driver {
    String a = "jdbc:db://first.example.org:5432,second.example.org:5433/shop";
    String b = "r2dbc:pool:db://:x";
    String c = "db://user:secret"
        + "@db.example.org/shop";
    String d = "xsi:schemaLocation=\"http://www.example.org/schema shop.xsd\"";
    String e = "http://repo.example.org/%package%/%version%";
    String f = "file://%f#L%l";
    String g = "https://docs.example.org/index.html%n%n";
    String h = "https://docs.example.org/a]b";
    String i = "https://docs.example.org\\@other.example.org/";
    // one of https://*.shop.example.org:[8080,8081]
}
