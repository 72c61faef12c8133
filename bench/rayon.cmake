# blitz_bench_rayon(WORKLOAD): bench_WORKLOAD_rayon from WORKLOAD/rayon.rs, with Debian's Rayon and without the network.
# Debian's own compiler: a newer one found in the path might compile another Rayon into the comparison.
find_program(BLITZ_BENCH_CARGO cargo PATHS /usr/bin NO_DEFAULT_PATH DOC "Debian's cargo")
find_program(BLITZ_BENCH_RUSTC rustc PATHS /usr/bin NO_DEFAULT_PATH DOC "Debian's rustc")
set(rayon_registry /usr/share/cargo/registry)
file(GLOB rayon_sources ${rayon_registry}/rayon-1.*)
set(rayon_found FALSE)
if(BLITZ_BENCH_CARGO AND BLITZ_BENCH_RUSTC AND rayon_sources)
  set(rayon_found TRUE)
else()
  message(STATUS "No Rayon benchmarks: they need cargo, rustc and librust-rayon-dev")
endif()

function(blitz_bench_rayon workload)
  if(NOT rayon_found)
    return()
  endif()
  set(name bench_${workload}_rayon)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${workload}/rayon.rs)
  file(GLOB_RECURSE rust_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.rs) # they share some
  set(project ${CMAKE_CURRENT_BINARY_DIR}/rayon/${workload})
  file(
    CONFIGURE
    OUTPUT ${project}/Cargo.toml
    CONTENT [==[
[package]
name = "@name@"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "@name@"
path = "@source@"

[dependencies]
rayon = "1"

[profile.release]
panic = "abort"
]==]
    @ONLY)
  file(
    CONFIGURE
    OUTPUT ${project}/.cargo/config.toml
    CONTENT [==[
[source.crates-io]
replace-with = "debian"

[source.debian]
directory = "@rayon_registry@"
]==]
    @ONLY)
  add_custom_command(
    OUTPUT ${name}
    COMMAND ${CMAKE_COMMAND} -E env RUSTC=${BLITZ_BENCH_RUSTC} CARGO_HOME=${project}/home
            CARGO_TARGET_DIR=${CMAKE_CURRENT_BINARY_DIR}/rayon/target ${BLITZ_BENCH_CARGO} build --release --offline --quiet
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/rayon/target/release/${name}
            ${CMAKE_CURRENT_BINARY_DIR}/${name}
    WORKING_DIRECTORY ${project}
    DEPENDS ${rust_sources} ${project}/Cargo.toml
    VERBATIM)
  add_custom_target(${name}_program ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name})
endfunction()
