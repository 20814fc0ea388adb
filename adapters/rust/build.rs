//! Passes the pinned version of each port on to its adapter, as `VERSION_name`.

fn main() {
    println!("cargo:rerun-if-changed=Cargo.toml");
    let manifest = std::fs::read_to_string("Cargo.toml").expect("Cargo.toml is readable");
    for line in manifest.lines() {
        if let Some((name, rest)) = line.split_once(" = ") {
            if let Some(version) = rest.split_once("\"=").and_then(|(_, rest)| rest.split('"').next()) {
                println!("cargo:rustc-env=VERSION_{name}={version}");
            }
        }
    }
}
